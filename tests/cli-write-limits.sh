#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits that --write-limits writes are kept by the trace that they come from, whatever its elements are called.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# trace FILE 'TYPE NAME'... -- 'ID FROM TO'...: elements with the ids 1, 2 and so on, each on a resource of that id, and
# a tick of 1 us
trace () {
  file=$1
  shift
  id=0
  echo "<CommonFormat Version='1.0'><SystemConfiguration Name='S'>" >"$file"
  while [ "$1" != -- ]; do
    id=$((id + 1))
    echo "<Resource ID='$id'><SystemElement Name='${1#* }' ID='$id' Type='${1%% *}'/></Resource>" >>"$file"
    shift
  done
  shift
  cat >>"$file" <<END
<EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>
</EventIDMappings><TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase></SystemConfiguration>
<TraceData Start='0' Stop='1000'>
END
  for run in "$@"; do
    # shellcheck disable=SC2086 # three words
    set -- $run
    echo "<TraceEntry Time='$2' EventID='1' ReferenceID='$1'/><TraceEntry Time='$3' EventID='2' ReferenceID='$1'/>" >>"$file"
  done
  echo "</TraceData></CommonFormat>" >>"$file"
}

# kept FILE ARGUMENT...: the limits of it are written to new.ini, and it keeps them
kept () {
  file=$1
  shift
  rm -f new.ini
  status 0 "limits of $file are written" -q --write-limits new.ini "$@" "$file"
  status 0 "... and kept" -q --limits new.ini "$file"
}

# counts N TEXT: so many lines of new.ini are that
counts () {
  if [ "$(grep -cFx -- "$2" new.ini)" -eq "$1" ]; then ok "... $1 times: $2"; else not_ok "... $1 times: $2" "$(cat new.ini)"; fi
}

# two of one type and name, of which one never ran; 5 us and 20 % more are 6 us
trace twins.xml "function Init" "function Init" -- "1 0 5"
kept twins.xml
counts 1 "[function:Init]"
counts 1 "CET.max = 6 us"
counts 1 "optional = true"
# the other one ran, and longer: 10 us and 20 %
trace both.xml "function Init" "function Init" -- "1 0 5" "2 10 20"
kept both.xml
counts 1 "CET.max = 12 us"
counts 0 "optional = true"
status 1 "... and not by one that takes longer" -q --limits new.ini - <<END
$(sed "s/Time='20'/Time='23'/" both.xml)
END
trace second.xml "function Init" "function Init" -- "2 0 5"
kept second.xml
counts 1 "optional = true"

# 5 s and 20 % are in seconds, the largest unit, and so are 5000 s
trace seconds.xml "task T" "task U" -- "1 0 5" "2 10 5010"
sed "s/Unit='us'/Unit='s'/; s/ Stop='1000'//" seconds.xml >long.xml
kept long.xml
counts 1 "CET.max = 6 s"
counts 1 "CET.max = 6000 s"

# 900 us and 20 % are 1080 us, in the unit of what is written
trace rounds.xml "task T" -- "1 0 900"
kept rounds.xml
counts 1 "CET.max = 1.08 ms"

# where ticks are of 1 us and of 2 us a limit is in neither: the longest takes 5 of the latter, and 20 % are 2 us more
trace one.xml "task T" -- "1 0 5"
sed "s/Numerator='1'/Numerator='2'/" one.xml >two.xml
status 0 "limits of traces with other ticks are written" -q --write-limits new.ini one.xml two.xml
status 0 "... and kept" -q --limits new.ini one.xml two.xml
counts 1 "CET.max = 12 us"

# names with wildcards in them: each means itself, and the first is no limit for the second
trace globs.xml "function f(int*)" "function f(int&amp;)" "function f(int**)" "function f?" "function f\\*" -- \
  "1 0 5" "3 10 20" "4 30 50" "5 60 100"
kept globs.xml
counts 1 "[function:f(int\\*)]"
counts 1 "[function:f(int\\*\\*)]"
counts 1 "[function:f\\?]"
counts 1 "[function:f\\\\*]"
counts 0 "optional = true"
status 0 "a quoted wildcard chooses one element" -q -f csv -m CET -e 'f(int\*)' globs.xml
if [ "$(grep -c CET out)" -eq 1 ]; then ok "... and no other"; else not_ok "... and no other" "$(cat out)"; fi
status 0 "... with --idle" -f csv -m CET --idle 'f(int\*)' globs.xml
if [ "$(grep -cE ',CET,(us|ns),0' out)" -eq 2 ]; then ok "... and no other"; else not_ok "... and no other" "$(cat out)"; fi
if [ -s err ]; then not_ok "... without a warning" "$(cat err)"; else ok "... without a warning"; fi
status 0 "... with --period" -q -f csv -m JIT --period 'f(int\*)=1ms' globs.xml
kept globs.xml --idle 'f\?'
counts 1 "[any:f\\?]"

# tasks that overlap are 15 of 10 us, and 20 % more; a core that is nearly full is at most full
printf '#timeScale us\n0,C,0,T,A,1,start\n0,C,0,T,B,1,start\n5,C,0,T,A,1,terminate\n10,C,0,T,B,1,terminate\n' >over.btf
kept over.btf -m LOAD
counts 1 "LOAD.max = 180 %"
printf '#timeScale us\n0,C,0,T,A,1,start\n9,C,0,T,A,1,terminate\n10,C,0,T,A,2,activate\n' >full.btf
kept full.btf -m LOAD
counts 1 "LOAD.max = 100 %"

# what cannot stand in a line is a wildcard, which may be that of two names: 12 us are 10 and 20 %
trace lines.xml "function a&#10;b" "function a&#9;b" "function a?b" -- "1 0 5" "2 10 20"
kept lines.xml
counts 1 "[function:a?b]"
counts 1 "CET.max = 12 us"
# ... unless one has a section of its own: 6 us are 5 and 20 %, of b 24 are 20, and of the cores 5 and 20 of 1000 ticks
# are 0.6 % and 2.4 %
trace own.xml "task a&#9;b" "task a:b" "task a&#10;c" "task a;c" -- "1 0 5" "2 10 30" "4 40 70"
sed -i "s/Resource ID='1'/Resource Name='f\&#9;1' ID='1'/; s/Resource ID='2'/Resource Name='f 1' ID='2'/" own.xml
kept own.xml -m CET,LOAD
counts 1 "[task:a?b]"
counts 1 "CET.max = 6 us"
counts 1 "[task:a:b]"
counts 1 "CET.max = 24 us"
counts 1 "[resource:f?1]"
counts 1 "LOAD.max = 0.6 %"
counts 1 "LOAD.max = 2.4 %"
# a;c ran, 30 us and 20 %; what has a line end in its name never did
counts 1 "CET.max = 36 us"
counts 0 "[task:a?c]"
counts 1 "#   a?c"
counts 0 "optional = true"
status 1 "... and a limit of its own holds it" -q --limits new.ini - <<END
$(sed "s/Time='5'/Time='9'/" own.xml)
END
# where that one was not asked for, it has none: 20 us and 20 %
kept own.xml -e "$(printf 'a\tb')"
counts 1 "CET.max = 24 us"
counts 0 "[task:a:b]"
# with samples of some metrics only, it may lack those that the other one has: DT of the first is 50, and 20 % more
trace lacks.xml "function a&#9;b" "function a:b" -- "1 0 5" "2 10 30" "1 50 55"
kept lacks.xml -m CET,DT
counts 1 "DT.max = 60 us"
counts 1 "optional = true"
# idle goes by name, so both have one section
trace idle.xml "task Idle" "isr Idle" "task T" -- "1 0 5" "3 10 20"
kept idle.xml --idle Idle
counts 1 "[any:Idle]"

# ... and decides on the load of those that were asked for: 3 of 9 us, and 20 % more
printf '#timeScale us\n0,C,0,T,Idle,0,start\n6,C,0,T,Idle,0,terminate\n6,C,0,T,T,0,start\n9,C,0,T,T,0,terminate\n' >load.btf
kept load.btf --idle Idle -e C
counts 1 "[any:Idle]"
counts 1 "LOAD.max = 40 %"
counts 0 "[task:T]"

# a period as it was given, with more digits than a report has
trace period.xml "task T" -- "1 0 5" "1 100 105" "1 203 208"
kept period.xml --period T=0.10000000000000001ms -m JIT --margin 0%
counts 1 "period = 100.00000000000001 us"

# what it was measured with, that a check needs, too
counts 0 "It was measured with"
status 0 "limits of a window" -q --write-limits new.ini --from 20us --infer-preemption period.xml
counts 1 "# It was measured with --infer-preemption --from 20us, and is to be checked with that."
status 0 "... hold in it" -q --limits new.ini --from 20us --infer-preemption period.xml
"$program" -q -o window.json --from 20us period.xml
"$program" -q -o all.json period.xml
status 0 "... of one of several reports" -q --write-limits new.ini all.json window.json
counts 1 "# period.xml (in window.json) was measured with --from 20us, and is to be checked with that."

# a file without any limit could not be read
rm -f new.ini
status 2 "nothing to limit" -q --write-limits new.ini -t isr twins.xml
says err "new.ini: there is nothing to limit"
if [ -e new.ini ]; then not_ok "... and no file"; else ok "... and no file"; fi
status 2 "... only idle ones" -q --write-limits new.ini --idle '*' -t function twins.xml

echo "1..$n"
