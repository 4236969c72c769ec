#!/bin/sh
# SPDX-License-Identifier: MIT
# The files that a run writes: never over its own input, never two in one place, never half.
set -u
LC_ALL=C
export LC_ALL

program=$TS_BUILDDIR/tracestat
engine=$TS_SRCDIR/data/engine.atf.xml
limits=$TS_SRCDIR/data/limits.ini

work=$(mktemp -d) || exit 1
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/here" && cd "$work/here" || exit 1

# shellcheck source=tests/tap.sh
. "$TS_SRCDIR/tests/tap.sh"

# status EXPECTED MESSAGE ARGUMENT...: runs the program; what it says is in ../out and ../err
status () {
  expected=$1
  message=$2
  shift 2
  "$program" "$@" >../out 2>../err
  got=$?
  if [ "$got" -eq "$expected" ]; then
    ok "$message"
  else
    not_ok "$message" "status $got: $(cat ../err)"
  fi
}

says () {
  if grep -qF -- "$1" ../err; then ok "... and says: $1"; else not_ok "... and says: $1" "$(cat ../err)"; fi
}

# holds MESSAGE NAME...: the folder has these files and no others, hidden ones included
holds () {
  message=$1
  shift
  expected=$(for name; do echo "$name"; done | sort)
  got=$(find . ! -name . | sed 's,^\./,,' | sort)
  if [ "$got" = "$expected" ]; then ok "$message"; else not_ok "$message" "the folder has: $got"; fi
}

same () {
  if cmp -s "$2" "$3"; then ok "$1"; else not_ok "$1"; fi
}

# two traces of 20 us and of 1 s: the four digits of 0.0000200 s, one less for the zeros, end at the seventh place
{
  printf '#version 2.1.0\n#timeScale ns\n'
  printf '1440000000000000000,C,0,T,A,0,activate\n1440000000000003100,C,0,T,A,0,start\n'
  printf '1440000000000020000,C,0,T,A,0,terminate\n'
} >../stamps.btf
sed 's/000020000,/999999999,/' ../stamps.btf >../longer.btf
status 0 "a summary of large stamps" ../stamps.btf
if grep -q ' A  *20  *1440000000\.0000031  ' ../out; then ok "... tells the moment"; else not_ok "... tells the moment" "$(cat ../out)"; fi
status 0 "... and of two traces" ../longer.btf ../stamps.btf
if grep -q ' 1440000000\.0000031  ' ../out; then ok "... too"; else not_ok "... too" "$(cat ../out)"; fi

# names in a trace do not drive the terminal: not by escapes, bells or ends of lines, nor by controls beyond ASCII
{
  printf '#version 2.1.0\n#timeScale ns\n1x\033[31mRED\a,C,0,T,A,0,start\n'
  printf '1,C,0,T,A,0,start\n2,C,0,T,A,0,f\033]0;x\aoo\302\2332J\377\n3,C,0,T,A,0,terminate\n'
} >../escapes.btf
# nor are they shown from right to left, or in another place (U+202E, U+2067)
printf '#version 2.1.0\n#timeScale ns\n1,C,0,T,A\342\200\256B\342\201\247C,0,start\n3,C,0,T,A\342\200\256B\342\201\247C,0,terminate\n' >../turned.btf
status 0 "names that turn the text" -m CET ../turned.btf
if grep -q '^  A?B?C ' ../out; then ok "... do not"; else not_ok "... do not" "$(cat ../out)"; fi
status 0 "names with escapes" -f csv ../escapes.btf
says 'time `1x?[31mRED?'
says 'event `f?]0;x?oo?2J'
status 2 "... in an option, with an end of a line" "--no-such
option" x.csv
says "no-such?option"
if [ "$(wc -l <../err)" -eq 2 ] && [ "$(tail -n 1 ../err)" = "Try \`tracestat --help'." ]; then
  ok "... which ends none"
else
  not_ok "... which ends none" "$(cat ../err)"
fi
status 2 "... in the name of a file" "$(printf 'no\033[31m.btf')"
says 'no?[31m.btf: '
if LC_ALL=C grep -q '[[:cntrl:]]' ../err; then not_ok "... and no control at all"; else ok "... and no control at all"; fi

# the trace through standard input
cp "$engine" x.csv
# shellcheck disable=SC2094 # one file for both is what is tested
status 2 "standard input is not overwritten" -q -o x.csv - <x.csv
says "x.csv: is both a trace and an output"
status 2 "... nor by the instances" -q --instances ./x.csv - <x.csv
says "./x.csv: is both a trace and the file for the instances"
# shellcheck disable=SC2094 # likewise
status 2 "... nor if it is the baseline" -q --baseline - -o x.csv "$engine" <x.csv
says "x.csv: is both the baseline and an output"
same "... and is whole" x.csv "$engine"
holds "... and nothing else is there" x.csv

# what goes to standard output, behind what it is made from
cp "$limits" ../x.ini
# shellcheck disable=SC2094 # likewise
"$program" -q -f csv x.csv >>x.csv 2>../err
says "x.csv: is a trace, and standard output is written to it"
# shellcheck disable=SC2094 # likewise
"$program" -q -f csv - <x.csv >>x.csv 2>../err
says "standard input: is a trace, and standard output is written to it"
# shellcheck disable=SC2094 # likewise
"$program" --limits ../x.ini "$engine" >>../x.ini 2>../err
says "../x.ini: is a file of limits, and standard output is written to it"
# shellcheck disable=SC2094 # likewise
"$program" -f json --baseline x.csv "$engine" >>x.csv 2>../err
says "x.csv: is the baseline, and standard output is written to it"
same "the trace is whole" x.csv "$engine"
same "... and so are the limits" ../x.ini "$limits"
rm ../x.ini

# bytes for a pipe wait in a file
TMPDIR=/no-such-folder "$program" -q --instances - "$engine" 2>../err | cat >../out
says "in the folder for temporary files, \`/no-such-folder': cannot write"
holds "nothing else is there" x.csv
status 0 "another file is written" -q -o y.csv - <x.csv
# shellcheck disable=SC2002,SC2094 # a pipe is meant
if cat x.csv | "$program" -q -o x.csv - 2>../err && ! cmp -s x.csv "$engine"; then
  ok "a pipe is no file"
else
  not_ok "a pipe is no file" "$(cat ../err)"
fi
rm -f x.csv y.csv

# two outputs to one file
status 2 "an output and the instances in one file are refused" -q -o a.csv --instances a.csv "$engine"
says "a.csv: two outputs would be written to this file"
status 2 "two outputs in one file are refused" -q -o a.csv -o ./a.csv "$engine"
says "./a.csv: two outputs"
status 2 "... whatever the path" -q -o "$work/here/a.csv" -o ../here/a.csv "$engine"
says "a.csv: two outputs"
status 2 "... JUnit too" -q --limits "$limits" -o a.csv --junit a.csv "$engine"
says "a.csv: two outputs"
status 2 "... and limits" -q -o b.csv -o a.csv --write-limits a.csv "$engine"
says "a.csv: two outputs"
status 2 "... JUnit with limits" -q --limits "$limits" --junit a --write-limits a "$engine"
says "a: two outputs"
holds "... and none is written"
echo old >a.csv
ln -s a.csv link.csv
ln a.csv hard.csv
status 2 "a symbolic link is the file that it leads to" -q -o a.csv -o link.csv "$engine"
says "link.csv: two outputs"
status 2 "so is a hard link" -q -o a.csv --instances hard.csv "$engine"
says "hard.csv: two outputs"
if [ "$(cat a.csv)" = old ]; then ok "... and the old file stays"; else not_ok "... and the old file stays"; fi
rm -f a.csv link.csv hard.csv
# what is not there yet
ln -s a.csv dangling.csv
ln -s dangling.csv chain.csv
mkdir folder
ln -s folder other
ln -s ../a.csv other/up.csv
status 2 "a symbolic link to what is not there yet" -q -o a.csv --instances dangling.csv "$engine"
says "dangling.csv: two outputs"
status 2 "... as the first one" -q -o dangling.csv --instances a.csv "$engine"
status 2 "... by way of another" -q -o chain.csv -o a.csv "$engine"
status 2 "... both of them" -q -o chain.csv -o dangling.csv "$engine"
status 2 "... from another folder" -q -o folder/up.csv -o a.csv "$engine"
status 2 "a folder by another name" -q -o folder/a.csv -o other/a.csv "$engine"
status 0 "two folders are two files" -q -o folder/a.csv -o a.csv "$engine"
holds "... and both are written" a.csv chain.csv dangling.csv folder folder/a.csv folder/up.csv other
rm -r a.csv chain.csv dangling.csv folder other
# standard output in a file, which another one would take the place of
# shellcheck disable=SC2094 # one file for both is what is tested
"$program" -f csv -o a.csv "$engine" >a.csv 2>../err
if [ $? -eq 2 ]; then ok "standard output and an output in one file"; else not_ok "standard output and an output in one file"; fi
says "a.csv: standard output is written to this file, too"
# shellcheck disable=SC2094
if "$program" -q -o a.csv "$engine" >a.csv 2>../err; then ok "... of which one writes nothing"; else not_ok "... of which one writes nothing"; fi
if "$program" --limits "$limits" --junit /dev/stdout "$engine" >a.csv 2>../err; then ok "... of which one is the other"; else not_ok "... of which one is the other"; fi
rm -f a.csv
# a link to standard output, which is a pipe
ln -s /dev/stdout link.csv
"$program" -q -o link.csv "$engine" | cat >../piped.csv
"$program" -q -f csv "$engine" >../plain.csv
if cmp -s ../piped.csv ../plain.csv; then ok "a link to standard output"; else not_ok "a link to standard output"; fi
holds "... stays what it is" link.csv
rm link.csv
# 10^18 ticks of 10^12 s are 10^30 s or 10^39 ns, and 127 bits hold 1.7 * 10^38
cat >../huge.xml <<END
<CommonFormat Version="1.0"><SystemConfiguration Name="x"><Resource ID="0"><SystemElement Name="A" ID="1" Type="task"/>
</Resource><EventIDMappings><EventIDMapping EventID="2" EventType="start"/><EventIDMapping EventID="3" EventType="end"/>
</EventIDMappings><TimeBase Unit="s"><Value Numerator="1000000000000" Denominator="1"/></TimeBase></SystemConfiguration>
<TraceData Start="0"><TraceEntry Time="0" EventID="2" ReferenceID="1"/>
<TraceEntry Time="1000000000000000000" EventID="3" ReferenceID="1"/></TraceData></CommonFormat>
END
status 2 "times that cannot be held in ns" -q -o a.csv ../huge.xml
says "a.csv: the times of ../huge.xml are too large to be written in ns"
status 2 "... in JSON" -q -o a.json ../huge.xml
status 2 "... in the summary" -u ns ../huge.xml
status 2 "... of instances" -q --instances i.csv ../huge.xml
says "i.csv: times are too large to be written in ns"
status 2 "... of instances, where another output can hold them" -q -o a.txt --instances i.csv ../huge.xml
holds "... leave nothing"
status 0 "... can in s" -q -u s -o a.csv --instances i.csv ../huge.xml
if [ "$(grep -c ',CET,s,1,1000000000000000000000000000000,' a.csv)" -eq 1 ]; then ok "... as what they are"; else not_ok "... as what they are" "$(cat a.csv)"; fi
status 0 "... and in a summary" ../huge.xml
# no limit has so many digits, and that of LOAD is left
status 0 "limits of it" -q --write-limits a.ini ../huge.xml
status 0 "... are kept" -q --limits a.ini ../huge.xml
rm -f ./*
printf '[Task_2ms]\nRT.max = 2 ms\n' >tight.ini
status 0 "different files are written" -q -o a.csv -o a.json --instances i.csv --write-limits a.ini "$engine"
holds "... all of them" a.csv a.json a.ini i.csv tight.ini
# instances to whoever reads them at once
status 0 "instances on standard output, and no summary" --instances - "$engine"
if cmp ../out i.csv >/dev/null; then ok "... the same as in a file"; else not_ok "... the same as in a file" "$(head -n 3 ../out)"; fi
status 0 "... with a report in a file" --instances - -o a.csv "$engine"
if cmp ../out i.csv >/dev/null; then ok "... the same again"; else not_ok "... the same again" "$(head -n 3 ../out)"; fi
status 0 "instances to an open stream" -q --instances /dev/fd/5 "$engine" 5>../stream
if cmp ../stream i.csv >/dev/null; then ok "... are CSV"; else not_ok "... are CSV" "$(head -n 3 ../stream)"; fi
sed '$d' "$engine" >../cut.xml
for stream in /dev/fd/1 /proc/self/fd/1; do
  [ -e "$stream" ] || continue
  status 0 "standard output by another name: $stream" --instances "$stream" "$engine"
  if cmp ../out i.csv >/dev/null; then ok "... has no summary either"; else not_ok "... has no summary either" "$(tail -n 3 ../out)"; fi
  status 2 "... nor another table" --instances "$stream" -f csv "$engine"
done
ln -s /dev/stdout link
status 0 "and by a link" --instances link "$engine"
if cmp ../out i.csv >/dev/null; then ok "... the same"; else not_ok "... the same" "$(tail -n 3 ../out)"; fi
rm link
status 2 "none of a trace that is cut off" --instances - ../cut.xml
if [ ! -s ../out ]; then ok "... not even the first ones"; else not_ok "... not even the first ones" "$(head -n 3 ../out)"; fi
status 1 "a limit that is broken is told beside them" --instances - --limits tight.ini "$engine"
says "FAILED: 1 violated, of 1 limit"

status 0 "a device may get two" -q --limits "$limits" --junit /dev/null --write-limits /dev/null "$engine"
rm -f ./*

# interrupted while the trace is being read; not every file system has files without a name
strict=no
case $(stat -f -c %T . 2>/dev/null) in
  ext2/ext3 | xfs | btrfs | tmpfs) [ -d /proc/self/fd ] && strict=yes ;;
esac

leaves_nothing () {
  if [ "$strict" = yes ]; then
    holds "... and leaves nothing behind" i.csv
  else
    skip "... and leaves nothing behind" "the file system may have no files without a name"
  fi
  if [ "$(cat i.csv)" = old ]; then ok "... but the old file as it was"; else not_ok "... but the old file as it was"; fi
  rm -f i.csv .tracestat-*
}

# a shell takes INT away from what it starts in the background
signals="TERM KILL"
reset=
if env --default-signal true 2>/dev/null; then
  signals="$signals INT HUP"
  reset="env --default-signal"
fi
mkfifo ../trace || exit 1
for signal in $signals; do
  echo old >i.csv
  # shellcheck disable=SC2086 # words
  $reset "$program" -q --no-progress --instances i.csv -o o.csv ../trace >../out 2>../err &
  pid=$!
  exec 3<>../trace
  head -c 4096 "$engine" >&3
  sleep 0.5
  kill -s "$signal" "$pid"
  wait "$pid" 2>/dev/null
  got=$?
  pid=
  exec 3>&-
  if [ "$got" -gt 128 ]; then ok "$signal ends a run"; else not_ok "$signal ends a run" "status $got: $(cat ../err)"; fi
  leaves_nothing
done

# 1,000,000.246913571 and 2,000,000.123456782 s make 3,000,000.370370353 s: 16 digits, and those in ns have no point
cat >long.etf <<END
TU SECONDS
R 0 1 false ; name=CPU
C 0 1000000.000000000 2000000.246913571 0 1 ; name=A
C 1 3000000.000000000 5000000.123456782 0 1 ; name=A
END
exact=1000000.246913571,2000000.123456782,3000000.370370353
for unit in ticks ns; do
  "$program" -q -f csv -m GET -u $unit long.etf >../out 2>../err
  if cut -d, -f23-25 ../out | grep -qxF $exact; then
    ok "ticks are exact beside $unit"
  else
    not_ok "ticks are exact beside $unit" "$(cat ../out)"
  fi
done
"$program" -q -f json -m GET long.etf | tr -d ' \n' >../out
if grep -qF '"max_ticks":2000000.123456782,"sum_ticks":3000000.370370353' ../out; then
  ok "ticks are exact in JSON"
else
  not_ok "ticks are exact in JSON" "$(cat ../out)"
fi
rm long.etf

# A waits 10..12 and is cut while it waits, B is preempted 13..15 and cut in the next preemption, C was there before and
# waits at its first event: what has no end is in no sum
cat >cut.btf <<END
#timeScale ns
0,S,0,T,A,0,activate
1,X,0,T,A,0,start
10,X,0,T,A,0,wait
12,X,0,T,A,0,release
12,X,0,T,A,0,resume
13,X,0,T,A,0,wait
13,Y,0,T,B,0,start
13,Y,0,T,B,0,preempt
15,Y,0,T,B,0,resume
16,Y,0,T,B,0,preempt
17,Z,0,T,C,0,wait
40,S,0,T,D,0,activate
END
"$program" -q --instances rows.csv cut.btf >../out 2>../err
rows=$(cut -d, -f5,9,25-27 rows.csv | sed 1d | sort | tr '\n' ' ')
if [ "$rows" = "A,partial tail,0,0,2 B,partial tail,1,2,0 C,partial head,0,0,0 " ]; then
  ok "what was cut is in no sum of a row"
else
  not_ok "what was cut is in no sum of a row" "$rows"
fi
rm cut.btf rows.csv

# The second A lost its start, not its activation: 20 - 10 is its response time, in the report as in its row; mean 6
cat >lost.btf <<END
#timeScale us
0,S,0,T,A,0,activate
1,X,0,T,A,0,start
2,X,0,T,A,0,terminate
10,S,0,T,A,1,activate
15,X,0,T,A,1,poll
18,X,0,T,A,1,run
20,X,0,T,A,1,terminate
END
rt=$("$program" -q -m RT -f csv -u us --instances rows.csv lost.btf 2>../err | sed 1d | cut -d, -f8-12)
row=$(sed 1,2d rows.csv | cut -d, -f9,16-20)
if [ "$rt $row" = "RT,us,2,2,6 partial head,,,,,10" ]; then
  ok "an instance without start has its response time in both"
else
  not_ok "an instance without start has its response time in both" "$rt $row"
fi
rm lost.btf rows.csv

# the shell's own limit of 512 bytes a file; a core would come into the folder above
echo old >i.csv
(ulimit -f 1 && cd .. && exec "$program" -q --no-progress --instances here/i.csv "$engine") >../out 2>../err
got=$?
if [ "$got" -ne 0 ]; then ok "a file that grows too long ends a run"; else not_ok "a file that grows too long ends a run"; fi
leaves_nothing

if [ -w /dev/full ]; then
  ln -s /dev/full full.csv
  status 2 "a full device is an error" -q --instances full.csv "$engine"
  says "full.csv"
else
  skip "a full device is an error" "there is no /dev/full"
fi

# Both instances are open from 35 to 44: of the second, activated at 34, ST is 34 - 44 and E2S 35 - 44 when it ends.
cat >overlap.btf <<'END'
#version 2.2.0
#timeScale ns
28,STI,0,T,P1,1,activate
34,C0,0,T,P1,1,start
34,STI,0,T,P1,2,activate
35,C1,0,T,P1,2,start
44,C0,0,T,P1,1,terminate
48,C1,0,T,P1,2,terminate
END
status 0 "instances that overlap" -q --instances overlap.csv overlap.btf
if [ "$(cut -d , -f 8,21-24 overlap.csv | tail -n 2)" = "1,,,,
2,1,6,-10,-9" ]; then ok "... have their ST and E2S"; else not_ok "... have their ST and E2S" "$(cat overlap.csv)"; fi

# The GPU is held within the time on the CPU, the bus from its end on: one interval for the timeline. On the memory A does
# not run. B is on the memory and then on the CPU. The links and the disc have claims of C that lie in those of others.
cat >beside.etf <<END
TU NANOSECONDS
R 0 1 false ; name=cpu
R 1 1 false ; name=gpu
R 2 1 false ; name=bus
R 3 1 false ; name=mem
R 4 1 false ; name=disc
C 0 0 9 0 1 ; name=A, id=1
C 1 2 5 1 1 ; name=A, id=1
C 2 9 12 2 1 ; name=A, id=1
C 3 1 2 3 1 ; name=A, id=1
C 4 20 22 4 1 ; name=B, id=1
C 5 24 25 0 1 ; name=B, id=1
C 6 30 39 4 1 ; name=C, id=1
C 7 31 32 4 1 ; name=C, id=1
END
resources () {
  "$program" -q -f csv -m CET --instance-key id --exec-resources 'disc,gpu,bus,cpu' "$@" beside.etf 2>../err |
    awk -F, 'NR > 1 { print $2 $5, $3 }'
}
if [ "$(resources)" = "A bus+cpu+gpu
B cpu+disc
C disc" ]; then ok "every resource that jobs ran on"; else not_ok "every resource that jobs ran on" "$(resources)"; fi
if [ "$(resources --per-section | grep A)" = "A bus+cpu+gpu
1A bus+cpu+gpu" ]; then ok "... of a section, too"; else not_ok "... of a section, too" "$(resources --per-section)"; fi

# a value right behind its short option, and one that looks like an option
"$program" -q -f csv -u us -m RT -o apart.csv "$engine" >apart 2>../err
"$program" -q -fcsv -uus -mRT -oattached.csv "$engine" >attached 2>../err
same "a value may follow its short option without a blank" apart attached
same "... that of a file, too" apart.csv attached.csv
"$program" -qfcsv -uus -mRT -oattached.csv "$engine" >attached 2>../err
same "... behind others, too" apart attached
status 2 "a value does not begin with an equals sign" -q -o=x.csv "$engine"
says "Unknown option -o=x.csv"
status 0 "a value that begins as an option does" -qo -j4.csv "$engine"
if [ -f ./-j4.csv ]; then ok "... is one"; else not_ok "... is one" "$(ls)"; fi

echo "1..$n"
