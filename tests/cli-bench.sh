#!/bin/sh
# SPDX-License-Identifier: MIT
# The benchmarks work, and what tracestat is compared with comes to the same numbers. No time is looked at.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
generate=$TS_BUILDDIR/tests/generate
cd "$folder" || exit 1
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$TS_SRCDIR/tests/bench
export PYTHONDONTWRITEBYTECODE PYTHONPATH

n=0
result () # STATUS NAME
{
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

# The awk scripts, the Python scripts and the SQL query, on activations that queue, fail and are chained.
if command -v python3 >/dev/null; then
  for shape in two-core queued failed chained; do
    for format in atf btf; do
      "$generate" --shape "$shape" --events 5000 --format "$format" -o "trace.$format" || exit 1
      python3 "$TS_SRCDIR/tests/bench/opponents.py" "$format" "trace.$format" >lines 2>errors
      status=$?
      while read -r line; do
        n=$((n + 1))
        echo "ok $n - $shape: ${line#ok - }"
      done <lines
      if [ $status -ne 0 ]; then
        result 1 "$shape: others agree on $format"
        sed 's/^/# /' errors
      fi
    done
  done
  # A CET with the samples 1 and 4: every value of it must count.
  python3 - <<'PYTHON' 2>errors
from opponents import difference

tracestat = {("A", "CET"): (2, 1, 5, 4)}
assert difference(["A,CET,2,1,2.5,4\n"], tracestat) is None
for wrong in ["A,CET,3,1,2.5,4", "A,CET,2,0,2.5,4", "A,CET,2,1,2.50001,4", "A,CET,2,1,2.5,5", "A,GET,2,1,2.5,4",
              "B,CET,2,1,2.5,4"]:
    assert difference([wrong], tracestat) is not None, wrong
assert difference([], tracestat) is not None
PYTHON
  result $? "a script that comes to other numbers is found out"
  sed 's/^/# /' errors
else
  result 0 "others agree # SKIP no python3"
fi

# Each stage sees every event: 2,000 of ATF, where each is an entry.
"$generate" --shape two-core --events 2000 -o trace.atf && events=$(grep -c '<TraceEntry ' trace.atf)
for stage in parse timeline statistics report; do
  "$TS_BUILDDIR/tests/bench-stages" $stage trace.atf >found && [ "$(cut -d ' ' -f 1 found)" = "$events" ]
  result $? "bench-stages: $stage"
done

"$TS_BUILDDIR/tests/bench-run" cost sh -c 'exit 7'
[ $? -eq 7 ] && grep -Eq '^[0-9]+\.[0-9]{6} [0-9]+\.[0-9]{6} [1-9][0-9]*$' cost
result $? "bench-run: what a command took, and its exit status"

# What the generator has for growth: the truth holds, and the calls are as deep as asked for (the function runs in
# itself, so that 50 of it have started and not ended when the innermost starts).
"$generate" --tasks 2 --isrs 0 --depth 50 --base-period 10000 --events 3000 --self-check -o deep.atf 2>errors
result $? "deep calls are a sound trace"
deepest=$(awk -F '"' '
  /<SystemElement / { type[$4] = $6 }
  /<TraceEntry / && type[$6] == "function" {
    open[$6] += ($4 == 3) - ($4 == 4)
    if (open[$6] > most) most = open[$6]
  }
  END { print most + 0 }' deep.atf)
[ "$deepest" -eq 50 ]
result $? "calls are 50 deep"
"$generate" --tasks 100 --isrs 0 --runnables 1000 --events 1 -o many.atf &&
  [ "$(sed -n 's/.*<SystemElement .* ID="\([0-9]*\)".*/\1/p' many.atf | sort -u | wc -l)" -eq 100100 ]
result $? "100,100 elements have as many ids"

# The verdict on instructions: a pretended valgrind counts 5,000,000 and $per_event for each event.
mkdir -p bin source/tests/bench build/tests
cat >bin/valgrind <<'STUB'
#!/bin/sh
n=$(sed 's/^generate: \([0-9]*\) .*/\1/' count)
echo "==1== Collected : $((5000000 + n * per_event))" >&2
STUB
cat >bin/callgrind_annotate <<'STUB'
#!/bin/sh
echo '1,000  ../src/import/atf.c:atf_feed'
STUB
chmod +x bin/valgrind bin/callgrind_annotate
ln -s "$generate" build/tests/generate
instructions () # INSTRUCTIONS COMPILER, and environment
{
  env per_event="$1" TS_CC="echo $2" TS_CFLAGS=-O2 TS_BENCH_EVENTS=1000 TS_SRCDIR="$folder/source" \
    TS_BUILDDIR="$folder/build" PATH="$folder/bin:$PATH" sh "$TS_SRCDIR/tests/bench/instructions.sh" >said 2>&1
}
TS_UPDATE=1 instructions 1000 gcc && grep -qx 'atf 1000' source/tests/bench/instructions.txt &&
  grep -qx 'compiler gcc --version; -O2' source/tests/bench/instructions.txt
result $? "figures are written"
instructions 1020 gcc && ! grep -q 'WORSE\|better' said
result $? "2 % worse passes"
instructions 1021 gcc
[ $? -eq 1 ] && grep -q WORSE said
result $? "more than 2 % worse fails"
instructions 979 gcc && grep -q 'TS_UPDATE=1' said
result $? "more than 2 % better passes with a hint"
instructions 1500 clang && grep -q 'another compiler' said
result $? "figures of another compiler are not enforced"
echo "1..$n"
