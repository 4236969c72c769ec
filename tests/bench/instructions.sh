#!/bin/sh
# SPDX-License-Identifier: MIT
# `make bench-instructions': instructions an event, which other than times hardly differ from run to run, beside the
# figures of instructions.txt. They depend on the compiler, its flags and the libraries: more than 2 % worse is an error
# if compiler and flags are those of the figures. TS_UPDATE=1 writes them anew.
#
# A long trace less a short one: what start and report cost is not in it. Both are past the point where samples go into
# histograms. `FORMAT' is that of CSV; the summary needs neither percentiles nor deviations. `FORMAT-element' is what an
# element costs besides its events, in the header, in all tables and in the report, which decides where there are
# thousands: a trace of 2,000 less one of 1,000, with as many events.
set -eu

margin=20 # in 1/1000
n_short=${TS_BENCH_EVENTS:-100000} # the figures are for 100,000
figures=$TS_SRCDIR/tests/bench/instructions.txt
folder=$TS_BUILDDIR/bench/instructions
tracestat=$TS_BUILDDIR/.libs/tracestat # not libtool's wrapper, a shell script
[ -x "$tracestat" ] || tracestat=$TS_BUILDDIR/tracestat
export LD_LIBRARY_PATH="$TS_BUILDDIR/.libs"
# so that strings are searched and copied with the same instructions whatever the processor knows
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX,-BMI2,-ERMS,-FSRM,-MOVBE,-LZCNT,-EVEX

command -v valgrind >/dev/null || { echo "bench-instructions: valgrind is needed"; exit 1; }
case $TS_CFLAGS in
  *-fsanitize*) echo "bench-instructions: not with sanitizers"; exit 1 ;;
esac
compiler=$($TS_CC --version | head -n 1)
compiler="$compiler; $(echo "$TS_CFLAGS" | sed 's/ *$//')"
libraries="$(getconf GNU_LIBC_VERSION 2>/dev/null || echo 'libc unknown'), glib $(pkg-config --modversion glib-2.0)"
# callgrind has no AVX-512; what it does have decides how lines of BTF are looked at
processor=$(grep -m 1 -ow avx2 /proc/cpuinfo || echo sse2)
libraries="$libraries, libxml2 $(pkg-config --modversion libxml-2.0)"
mkdir -p "$folder"

# FORMAT EVENTS: the trace, and $n_events
generate () {
  # three tasks, an ISR and three runnables on one core; TRACE leaves out what is no task and no ISR, and VisAndOr has
  # a simulation of its own and an event a line
  system='--shape one-core --tasks 3 --isrs 1 --self-check'
  case $1 in
    etf) system="$system --runnables 0" ;;
    visandor*) system= ;;
    *) system="$system --runnables 1" ;;
  esac
  # shellcheck disable=SC2086 # words
  "$TS_BUILDDIR/tests/generate" $system --format "$1" --events "$2" -o "$folder/trace.$1" 2>"$folder/count" || return 1
  n_events=$(sed -n 's/^generate: \([0-9]*\) events.*/\1/p' "$folder/count")
  if [ -z "$n_events" ]; then
    n_events=$(wc -l <"$folder/trace.$1")
    echo "generate: $n_events lines" >"$folder/count"
  fi
}

# FORMAT ELEMENTS: a trace of so many, on four cores
generate_elements () {
  system="--cores 4 --tasks $(($2 / 10)) --runnables 9"
  [ "$1" != etf ] || system="--cores 4 --tasks $2 --runnables 0"
  # shellcheck disable=SC2086 # words
  "$TS_BUILDDIR/tests/generate" $system --isrs 0 --functions 0 --base-period 1000000 --format "$1" --events 40000 \
    -o "$folder/trace.$1" 2>/dev/null
}

# FORMAT SIZE OUTPUT: $n_instructions, and with SIZE the profile of what was generated
count () {
  # one thread: how often two wait for one another differs from run to run
  (cd "$folder" && valgrind --tool=callgrind --callgrind-out-file="$1.$2" "$tracestat" -j 1 -f "$3" "trace.$1" >/dev/null 2>log) ||
    { cat "$folder/log"; echo "bench-instructions: valgrind failed; clang needs CFLAGS='-gdwarf-4 -O2'"; exit 1; }
  n_instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$folder/log")
}

# FORMAT EVENTS SIZE: $n_events, $n_summary and $n_instructions, and of these the cost of each file of the source
measure () {
  generate "$1" "$2"
  count "$1" "$3" text
  n_summary=$n_instructions
  count "$1" "$3" csv
  callgrind_annotate --auto=no --show-percs=no --threshold=100 "$folder/$1.$3" 2>/dev/null |
    sed -n 's/^ *\([0-9,]\{1,\}\)  *\([^ :]*\):.*/\1 \2/p' | tr -d , >"$folder/$1.$3.files"
  rm -f "$folder/$1.$3" "$folder/trace.$1"
}

# FORMAT N_EVENTS: what the two measurements differ by, by stages; libraries are those that the stages call
stages () {
  awk -v format="$1" -v n_events="$2" '
    FNR == 1 { sign = FILENAME ~ /\.short\.files$/ ? -1 : 1 }
    $2 ~ /src\/import\/order/ { cost["order"] += sign * $1; next }
    $2 ~ /src\/import\// { cost["parse"] += sign * $1; next }
    $2 ~ /src\/analyse\/(metrics|measures|recents)/ { cost["metrics"] += sign * $1; next }
    $2 ~ /src\/analyse\/(statistics|percentiles|accumulator|samples)/ { cost["statistics"] += sign * $1; next }
    $2 ~ /src\/analyse\/histogram/ { cost["histogram"] += sign * $1; next }
    $2 ~ /src\/analyse\// { cost["timeline"] += sign * $1; next }
    $2 ~ /src\/model\/sort/ { cost["report"] += sign * $1; next }
    $2 ~ /src\/model\// { cost["model"] += sign * $1; next }
    $2 ~ /src\// { cost["report"] += sign * $1; next }
    $2 ~ /(emm|avx2)intrin/ { cost["sse2"] += sign * $1; next }
    { cost["libraries"] += sign * $1 }
    END {
      line = sprintf("  %-11s", format)
      n = split("parse order timeline metrics statistics histogram sse2 model libraries report", names, " ")
      for (i = 1; i <= n; i++) line = line sprintf(" %10.0f", cost[names[i]] / n_events)
      print line
    }' "$folder/$1.short.files" "$folder/$1.long.files"
}

# NAME FOUND: beside the figure that is kept
judge () {
  lines="$lines$1 $2
"
  kept=$(sed -n "s/^$1 \([0-9]*\)$/\1/p" "$figures" 2>/dev/null || true)
  if [ -z "$kept" ]; then
    printf '  %-19s %6d  not in instructions.txt: TS_UPDATE=1 adds it\n' "$1" "$2"
    [ $is_comparable = no ] || worse=1
    return
  fi
  verdict=''
  if [ $(($2 * 1000)) -gt $((kept * (1000 + margin))) ]; then
    verdict='  WORSE by more than 2 %'
    worse=1
  elif [ $(($2 * 1000)) -lt $((kept * (1000 - margin))) ]; then
    verdict='  better by more than 2 %'
    better=1
  fi
  awk -v name="$1" -v found="$2" -v kept="$kept" -v verdict="$verdict" \
    'BEGIN { printf "  %-19s %6d  %6d in instructions.txt  %+5.1f %%%s\n", name, found, kept, (found - kept) * 100 / kept, verdict }'
}

kept_for=$(sed -n -e 's/^compiler //p' -e 's/^processor //p' "$figures" 2>/dev/null || true)
is_comparable=no
[ "$kept_for" != "$(printf '%s\n%s' "$compiler" "$processor")" ] || is_comparable=yes
worse=0 better=0 lines='' table=''
echo "instructions an event, with $compiler, on $processor ($libraries)"
for format in atf btf etf visandor visandor-or; do
  generate "$format" 100 2>/dev/null || { echo "  $format: the generator does not write it, skipped"; continue; }
  measure "$format" "$n_short" short
  short_events=$n_events short_instructions=$n_instructions short_summary=$n_summary
  measure "$format" $((n_short * 2)) long
  n_events=$((n_events - short_events))
  table="$table$(stages "$format" "$n_events")
"
  judge "$format" $(((n_instructions - short_instructions + n_events / 2) / n_events))
  judge "$format-summary" $(((n_summary - short_summary + n_events / 2) / n_events))
done
for format in atf btf etf; do
  generate_elements "$format" 1000
  count "$format" short csv
  few_instructions=$n_instructions
  generate_elements "$format" 2000
  count "$format" long csv
  rm -f "$folder/trace.$format" "$folder/$format.short" "$folder/$format.long"
  judge "$format-element" $(((n_instructions - few_instructions) / 1000))
done

printf '\nby files of the source, without what they call; "sse2" and "libraries" are what all of them call\n'
printf '  %-11s %10s %10s %10s %10s %10s %10s %10s %10s %10s %10s\n%s' '' parse order timeline metrics statistics histogram \
  sse2 model libraries report "$table"

if [ -n "${TS_UPDATE:-}" ]; then
  {
    echo "# Instructions an event of \`tracestat -f csv TRACE' and of its summary, and of CSV for an element; written by"
    echo "# \`make bench-instructions TS_UPDATE=1'."
    echo "# They hold for this compiler with these flags, such processors, and nearly for these libraries."
    echo "compiler $compiler"
    echo "processor $processor"
    echo "libraries $libraries"
    printf '%s' "$lines"
  } >"$figures"
  echo "written: $figures"
elif [ $is_comparable = no ]; then
  echo "the figures are of another compiler or processor ($(echo "$kept_for" | tr "\n" " ")): nothing was enforced"
elif [ $worse -ne 0 ]; then
  echo "FAILED: find out why, or if it must be, TS_UPDATE=1 and say why in the commit"
  exit 1
elif [ $better -ne 0 ]; then
  echo "keep what was won: make bench-instructions TS_UPDATE=1"
fi
