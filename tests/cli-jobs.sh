#!/bin/sh
# SPDX-License-Identifier: MIT
# However many traces are read at a time, every byte that a run writes is the same, and so is its exit status.
# What is expected is what a run with one job does, which all other tests are about.
set -u
LC_ALL=C
export LC_ALL

program=$TS_BUILDDIR/tracestat
generate=$TS_BUILDDIR/tests/generate
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

# shellcheck source=tests/tap.sh
. "$TS_SRCDIR/tests/tap.sh"

# a run that waits for what never comes would hang the tests
limited () {
  if command -v timeout >/dev/null 2>&1; then timeout 100 "$@"; else "$@"; fi
}

# run_in FOLDER COMMAND...: all that it writes is in FOLDER afterwards; $input is its standard input
input=/dev/null
run_in () {
  rm -rf "$1"
  mkdir "$1" || exit 1
  place=$1
  shift
  (limited "$@" <"$input" >"$place/stdout" 2>"$place/stderr"; echo "$?" >"$place/status")
  for file in out.csv out.json out.txt rows.csv rows.jsonl limits.ini junit.xml; do
    [ ! -e "$file" ] || mv "$file" "$place"
  done
}

# each is compared with 1; with sanitizers, which are slow, one is enough
numbers=${TS_JOBS:-2 3 8}

# same STATUS MESSAGE ARGUMENT...: with all of these jobs
same () {
  expected=$1
  message=$2
  shift 2
  run_in one "$program" --color=never --no-progress -j 1 "$@"
  if [ "$(cat one/status)" != "$expected" ]; then
    not_ok "$message" "exit status $(cat one/status): $(cat one/stderr)"
    return
  fi
  for jobs in $numbers; do
    run_in many "$program" --color=never --no-progress -j"$jobs" "$@"
    difference=$(diff -r one many) || {
      not_ok "$message" "-j $jobs: $difference"
      return
    }
  done
  ok "$message"
}

# says TEXT: the last of those runs did
says () {
  if grep -qF -- "$1" many/stderr; then ok "... and says: $1"; else not_ok "... and says: $1" "$(cat many/stderr)"; fi
}

# traces of all formats, longer than what is read ahead where that matters
make_trace () {
  name=$1
  shift
  "$generate" "$@" -o "$name" || exit 1
}
make_trace a.xml --seed 1 --shape mixed
make_trace b.btf --seed 2 --format btf --events 50000
make_trace c.btf --seed 3 --format btf --events 9000
make_trace long.xml --seed 5 --events 98000
make_trace h.xml --seed 6 --shape heads-and-tails
cp "$TS_SRCDIR/data/engine.atf.xml" e.xml
cp "$TS_SRCDIR/tests/golden/backwards/in.atf.xml" f.xml
cp "$TS_SRCDIR/tests/golden/decimals/in.atf.xml" g.xml
cp "$TS_SRCDIR/tests/etf/odse12.etf" d.etf
cp "$TS_SRCDIR/tests/traces/or_seed_a.vis" v.vis
cp "$TS_SRCDIR/data/limits.ini" l.ini
"$program" -q --idle 'Background*' -o r.json e.xml || exit 1
gzip -c b.btf >b.btf.gz
gzip -c long.xml >long.xml.gz
head -c 200000 b.btf.gz >cut.gz
sed '90000s,.*,</TraceEntry>,' long.xml >damaged.xml
gzip -c damaged.xml >damaged.xml.gz
printf 'nothing of the kind\n' >unknown
: >empty

size=$(wc -c <b.btf)
if [ "$size" -gt $((8 * 262144)) ]; then ok "a compressed trace is longer than the ring"; else not_ok "a compressed trace is longer than the ring" "$size bytes"; fi
size=$(wc -c <long.xml)
if [ "$size" -gt $((4194304 + 8 * 262144)) ]; then ok "a stream is longer than what is kept, and the ring"; else not_ok "a stream is longer than what is kept, and the ring" "$size bytes"; fi

same 0 "traces of all formats" e.xml a.xml b.btf c.btf d.etf f.xml g.xml v.vis h.xml
same 0 "... in another order" b.btf v.vis g.xml e.xml d.etf c.btf f.xml a.xml h.xml
same 0 "one trace" e.xml
same 0 "one trace named twice" e.xml e.xml b.btf b.btf
same 0 "all kinds of files" -o out.csv -o out.json -o out.txt -f json a.xml b.btf e.xml f.xml
same 0 "per section, with a window and filters" --per-section --from 1ms --to 20ms -t task,isr -f csv a.xml b.btf h.xml
same 0 "with periods, idle tasks and overheads" --period '*=10ms' --idle 'i*' --subtract-overhead --infer-preemption \
  --exact-percentiles -p 1,50,99.99 -f json e.xml a.xml h.xml b.btf
same 0 "without the quick reader" --no-scanner -f csv a.xml e.xml h.xml f.xml
same 0 "reports among traces" -f json r.json b.btf r.json e.xml
same 0 "rows of instances as CSV" --instances rows.csv b.btf a.xml e.xml h.xml
same 0 "rows of instances as JSON lines" --instances rows.jsonl -f csv e.xml c.btf d.etf
same 0 "limits from measurements" --write-limits limits.ini -q e.xml a.xml b.btf
same 1 "a release check" --limits l.ini --baseline r.json --junit junit.xml -o out.json e.xml a.xml
same 0 "a compressed baseline" --baseline b.btf.gz b.btf
same 1 "defects with --strict" --strict f.xml h.xml a.xml
same 0 "defects without the summary" -f csv h.xml f.xml a.xml
grep -q warning one/stderr || not_ok "there is a warning to be compared"

# pipe MESSAGE FILE ARGUMENT...: through a pipe, in several pieces
pipe () {
  message=$1
  file=$2
  shift 2
  for jobs in 1 $numbers; do
    rm -rf "pipe$jobs"
    mkdir "pipe$jobs"
    { head -c 5000; sleep 0.05; cat; } <"$file" | limited "$program" --color=never --no-progress -j "$jobs" "$@" >"pipe$jobs/stdout" 2>"pipe$jobs/stderr"
    echo "$?" >"pipe$jobs/status"
    difference=$(diff -r pipe1 "pipe$jobs") || {
      not_ok "$message" "-j $jobs: $difference"
      return
    }
  done
  ok "$message"
}

# one trace alone, parsed and analysed by two threads, which takes 65,536 events
make_trace w.vis --seed 7 --format visandor --events 80000
make_trace w.etf --seed 8 --format etf --events 225000
make_trace w.btf --seed 2 --format btf --events 80000
make_trace sections.xml --seed 9 --sections 3 --events 100000
make_trace heads.xml --seed 10 --shape heads-and-tails --events 80000
for trace in long.xml w.btf w.etf w.vis sections.xml heads.xml; do
  events=$("$program" -q -j 1 -f json "$trace" | sed -n 's/^ *"events": \([0-9]*\),$/\1/p' | head -n 1)
  if [ "$events" -ge 75000 ]; then ok "$trace is long enough"; else not_ok "$trace is long enough" "$events events"; fi
  same 0 "$trace by two threads" --per-section --instances rows.csv -f json "$trace"
  # what is missing and what stands at a wrong place is found by the importer, by the order and by the timeline
  awk 'NR > 200 && NR % 997 == 0 { next } NR > 200 && NR % 4001 == 0 { held = $0; next }
    { print } held != "" { print held; held = "" }' "$trace" >"mutated-$trace"
  same 0 "... with lines missing and misplaced" --instances rows.csv -f json "mutated-$trace"
  case $trace in *.etf) ;; *) says "time goes backwards" ;; esac
  size=$(wc -c <"$trace")
  head -c $((size - size / 9)) "$trace" >"cut-$trace"
  run_in one "$program" -q -j 1 "cut-$trace"
  same "$(cat one/status)" "... cut off" -f csv "cut-$trace"
done
for trace in long.xml w.btf w.etf w.vis; do
  pipe "$trace through a pipe" "mutated-$trace" -f json -
  gzip -c "mutated-$trace" >"mutated-$trace.gz"
  same 0 "... compressed" -f csv "mutated-$trace.gz"
done
pipe "a pipe that is sorted as a whole" mutated-w.btf --sort --instances rows.csv -f csv -
# elements and cores that are not known before they have an event
awk -F, -v OFS=, 'NR > 50000 && NF > 6 { $5 = $5 "_" int(NR / 9000); $2 = $2 "_" int(NR / 20000) } { print }' w.btf >late.btf
same 0 "names that come late" --per-section --instances rows.csv -f json late.btf
# read again, when its end shows that the unit is too coarse
awk -F, -v OFS=, 'NR == 75000 { print "#timeScale ps" } { print }' w.btf >finer.btf
same 0 "a scale that becomes finer" --instances rows.csv -f json finer.btf
sed '80000s/Time="\([0-9]*\)"/Time="\1.125"/' long.xml >finer.xml
same 0 "a time with decimals" --instances rows.csv -f json finer.xml
same 0 "a window in units of its own" --from 1.0000005ms --to 30ms -f json sections.xml
same 0 "many short sections" --per-section -f csv h.xml a.xml

# compressed files, which are expanded by a thread of their own
for tool in gzip:gz zstd:zst xz:xz bzip2:bz2; do
  suffix=${tool#*:}
  tool=${tool%:*}
  if command -v "$tool" >/dev/null 2>&1; then
    "$tool" -c <b.btf >"z.btf.$suffix"
    same 0 "a file of $tool" -f csv "z.btf.$suffix"
    same 0 "... among others" -f json c.btf "z.btf.$suffix" long.xml.gz e.xml
  else
    skip "a file of $tool" "there is none"
  fi
done
tar -cf z.tar b.btf && gzip -c z.tar >z.tar.gz
same 0 "archives" -f csv z.tar.gz z.tar b.btf.gz
run_in plain "$program" -q -f csv -j 2 long.xml
run_in packed "$program" -q -f csv -j 2 long.xml.gz
sed -i 's/^long.xml\(.gz\)\{0,1\},//' plain/stdout packed/stdout
if [ -s plain/stdout ] && cmp -s plain/stdout packed/stdout; then ok "numbers are those of the file"; else not_ok "numbers are those of the file"; fi

# standard input
for input in long.xml long.xml.gz a.xml b.btf.gz; do
  same 0 "$input as standard input" -f csv -
  same 0 "... among others" -f json c.btf - e.xml b.btf.gz
  same 2 "... twice" -f json - -
done
input=/dev/null

pipe "a pipe" long.xml -f csv -
pipe "a compressed pipe" long.xml.gz -f csv -
pipe "a short pipe among files" a.xml -f json e.xml - b.btf
pipe "a long pipe among files" long.xml -f json b.btf.gz e.xml - b.btf
pipe "a damaged pipe" damaged.xml -f csv -
pipe "a damaged compressed pipe among files" damaged.xml.gz -f csv e.xml - b.btf
pipe "a pipe that is cut off" cut.gz -f csv -
pipe "one pipe under two names" a.xml -f csv - /dev/stdin

# the first of what cannot be read decides
same 2 "a file that is missing" e.xml missing.xml b.btf
says "missing.xml: no such file"
same 2 "the first of several" e.xml b.btf damaged.xml missing.xml unknown a.xml
says "damaged.xml:90000: "
same 2 "... though others fail sooner" damaged.xml unknown empty missing.xml cut.gz
says "damaged.xml:90000: "
same 2 "... at the very beginning" unknown damaged.xml
says "unknown: not a trace"
same 2 "... and at the end" b.btf long.xml a.xml empty
says "empty: empty input"
same 2 "a compressed file that is cut off" a.xml cut.gz e.xml
says "cut.gz: truncated"
same 2 "an error within a compressed file" e.xml damaged.xml.gz b.btf
says "damaged.xml.gz:90000: "
same 2 "compressed data beyond its limit" --max-expanded 2M b.btf.gz long.xml.gz c.btf
says "expands to more than 2097152 bytes"
same 2 "an empty window" --from 5ms --to 1ms b.btf a.xml
same 2 "a failure leaves no files" -o out.csv -o out.json --instances rows.csv e.xml b.btf missing.xml
if [ "$(find one many -type f | wc -l)" -eq 6 ]; then ok "... none at all"; else not_ok "... none at all" "$(find one many -type f)"; fi

# named pipes: somebody may write later, or never
mkfifo pipe-a pipe-b never || exit 1
for jobs in 1 $numbers; do
  limited sh -c 'sleep 0.3; cat a.xml >pipe-a; cat long.xml >pipe-b' &
  run_in "named$jobs" "$program" --no-progress --color=never -f json -j "$jobs" e.xml pipe-a b.btf pipe-b
  wait
  if [ "$(cat "named$jobs/status")" = 0 ] && difference=$(diff -r named1 "named$jobs"); then
    ok "named pipes whose writers come later, -j $jobs"
  else
    not_ok "named pipes whose writers come later, -j $jobs" "$(cat "named$jobs/stderr")"
  fi
done
if command -v timeout >/dev/null 2>&1; then
  same 2 "a failure does not wait for a pipe that nobody opens" damaged.xml never
  same 2 "... whatever is read in between" damaged.xml e.xml never a.xml
  # somebody has opened it, and says nothing
  exec 3<>never
  same 2 "... nor for one that nobody writes to" damaged.xml never
  head -c 5000 long.xml >&3
  same 2 "... nor for one whose writer has stopped" damaged.xml never
  exec 3>&-
  # an error in what a writer has written, who then keeps the pipe open
  { cat damaged.xml; exec sleep 90; } >never &
  writer=$!
  started=$(date +%s)
  limited "$program" -q -j 2 -f csv never >out 2>err
  got=$?
  ended=$(date +%s)
  kill "$writer" 2>/dev/null
  wait "$writer" 2>/dev/null
  if [ "$got" -eq 2 ] && [ $((ended - started)) -lt 60 ]; then ok "an error does not wait for the rest of a pipe"; else not_ok "an error does not wait for the rest of a pipe" "status $got: $(cat err)"; fi
else
  skip "a failure does not wait for a pipe that nobody opens" "there is no timeout(1)"
fi

# what the option takes
for number in 0 -1 x 2x '' 1.5 257 99999 99999999999999999999999; do
  run_in one "$program" -q "--jobs=$number" e.xml
  if [ "$(cat one/status)" = 2 ] && grep -qF -- "--jobs $number: a number from 1 to 256 is expected" one/stderr; then
    ok "-j '$number' is refused"
  else
    not_ok "-j '$number' is refused" "$(cat one/status one/stderr)"
  fi
done
run_in one "$program" -q -f csv -j 1 e.xml a.xml b.btf
for option in "-j 256" "-qj 5" --jobs=3 -q; do
  # shellcheck disable=SC2086 # words
  run_in many "$program" -q -f csv $option e.xml a.xml b.btf
  if diff -r one many >diff.log; then ok "$option gives the same"; else not_ok "$option gives the same" "$(cat diff.log)"; fi
done

echo "1..$n"
