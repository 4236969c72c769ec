#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line: what it cannot mean is refused before anything is read or written, with a reason.
set -u
LC_ALL=C
export LC_ALL

program=$TS_BUILDDIR/tracestat
engine=$TS_SRCDIR/data/engine.atf.xml

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/here" && cd "$work/here" || exit 1

# shellcheck source=tests/tap.sh
. "$TS_SRCDIR/tests/tap.sh"

# refuses REASON ARGUMENT...: status 2 and that reason, and nothing else, neither printed nor written
refuses () {
  reason=$1
  shift
  "$program" "$@" >../out 2>../err
  got=$?
  if [ "$got" -eq 2 ] && [ "$(head -n 1 ../err)" = "tracestat: $reason" ] && [ ! -s ../out ] && [ -z "$(ls -A)" ]; then
    ok "refused: $*"
  else
    not_ok "refused: $*" "status $got: $(cat ../err) $(ls -A)"
  fi
}

# prints MESSAGE PATTERN ARGUMENT...: status 0, a line like that, and no message
prints () {
  message=$1
  pattern=$2
  shift 2
  "$program" "$@" >../out 2>../err
  got=$?
  if [ "$got" -eq 0 ] && grep -q -e "$pattern" ../out && [ ! -s ../err ]; then
    ok "$message"
  else
    not_ok "$message" "status $got: $(cat ../err)"
  fi
}

a_time='is not a time: a number of at most 20 digits with s, ms, us, ns, ps, fs, as, or without a unit for ticks is expected'
a_percentile='is not a percentile: a number above 0 and up to 100, with 6 decimals at most, is expected'
a_size='a size such as 500M or 4G is expected'

refuses 'no trace given'
refuses "there is no list of \`nothing': metrics, formats, writers, diagnostics or types is expected" --list nothing
refuses "\`nothing' is not a metric; --list metrics shows them" -m CET,nothing "$engine"
refuses "\`nothing' is not a type of elements; --list types shows them" -t nothing "$engine"
refuses '--element: a name, or a glob, is expected' -e '' "$engine"
refuses '--idle: a name, or a glob, is expected' --idle '' "$engine"
refuses "\`furlongs' is not a unit: ns, us, ms, s or ticks is expected" --unit furlongs "$engine"
refuses '--color sometimes: auto, always or never is expected' --color sometimes "$engine"

refuses "\`0' $a_percentile" -p 0 "$engine"
refuses "\`100.1' $a_percentile" -p 50,100.1 "$engine"
refuses "\`99.0000001' $a_percentile" -p 99.0000001 "$engine"
refuses "\`x' $a_percentile" -p x "$engine"
refuses 'percentile 50.0 is given twice' -p 50,95,50.0 "$engine"

refuses '--period Injection: NAME=TIME is expected' --period Injection "$engine"
refuses '--period =1ms: NAME=TIME is expected' --period =1ms "$engine"
refuses "--period Injection=1parsec: \`1parsec' $a_time" --period Injection=1parsec "$engine"
refuses '--period Injection=0ms: the period is not above 0' --period Injection=0ms "$engine"
refuses '--period Injection=-1ms: the period is not above 0' --period Injection=-1ms "$engine"
refuses "--from: \`soon' $a_time" --from soon "$engine"
refuses "--to: \`late' $a_time" --to late "$engine"

refuses "--max-expanded much: $a_size" --max-expanded much "$engine"
refuses "--max-expanded 0: $a_size" --max-expanded 0 "$engine"
refuses "--max-expanded 1G2: $a_size" --max-expanded 1G2 "$engine"
refuses '--max-expanded 16384P: too large' --max-expanded 16384P "$engine"
refuses '--jobs 0: a number from 1 to 256 is expected' --jobs 0 "$engine"
refuses '--jobs 257: a number from 1 to 256 is expected' --jobs 257 "$engine"

refuses "\`nothing' is not an input format; --list formats shows them" --input-format nothing "$engine"
refuses '--group colour: kind, node, field, agent or depth is expected' --group colour "$engine"
refuses '--time-unit fortnight: s, ms, us, ns, ps, fs, as or ticks is expected' --time-unit fortnight "$engine"
refuses "\`nothing' is not an output format; --list writers shows them" -f nothing "$engine"
refuses 'report.doc: no output format has this suffix; --list writers shows them' -o report.csv -o report.doc "$engine"
refuses '--table is for CSV: -f csv, or -o with a name that ends in .csv' --table load -o report.json "$engine"

refuses '--instances - and --format csv: standard output is for one of them' --instances - -f csv "$engine"
refuses '--instances /dev/stdout and --format text: standard output is for one of them' --instances /dev/stdout -f text "$engine"

refuses '--rank CET.max: there is --rank RT.max already' --rank RT.max --rank CET.max "$engine"
refuses '--top 2: there is --top 1 already' --rank RT.max --top 1 --top 2 "$engine"
refuses '--top is for --rank' --top 5 "$engine"
refuses "--rank: \`RT' does not say which statistic: RT.max, RT.p99 and so on" --rank RT "$engine"
refuses "--rank: \`SPEED' is not a metric; --list metrics shows them" --rank SPEED.max "$engine"
refuses '--rank LOAD: elements have no load' --rank LOAD "$engine"
refuses '--rank is for text and CSV: json has all elements, as they stand in the trace' --rank RT.max -f json "$engine"
for top in 0 -1 x 4294967296; do
  refuses "--top $top: how many elements are to be shown is expected, from 1 on" --rank RT.max --top "$top" "$engine"
done

refuses '--tolerance is for --baseline' --tolerance 5% "$engine"
refuses '--significance is for --baseline' --significance 0.01 "$engine"
for significance in 0 1 x 0.01x; do
  refuses "--significance $significance: a probability above 0 and below 1 is expected, as 0.01" \
    --baseline "$engine" --significance "$significance" "$engine"
done
refuses '--allow is for --strict' --allow missing-end "$engine"
refuses "--allow: there is no diagnostic \`nothing'; see --list diagnostics" --strict --allow nothing "$engine"
refuses '--junit: there is nothing to check without --limits or --baseline' --junit report.xml "$engine"
refuses '--junit -: the name of a file is expected' --limits limits.ini --junit - "$engine"
refuses '--write-limits -: the name of a file is expected' --write-limits - "$engine"
refuses '--margin is for --write-limits' --margin 5% "$engine"
refuses '--margin 5: a percentage is expected, as 20%' --write-limits limits.ini --margin 5 "$engine"
refuses '--margin -5%: a percentage is expected, as 20%' --write-limits limits.ini --margin -5% "$engine"

prints 'the version' '^tracestat [0-9][0-9.]*$' --version
prints 'the help' '^Usage: tracestat ' --help
for list in metrics formats writers diagnostics types; do
  prints "the list of $list" '^[a-zA-Z]' --list "$list"
done
# 16383 P are just below 2^64
for size in 100000 64K 64KiB 64kB 1M 1GB 1T 16383P; do
  prints "an expanded size of $size" 'Injection' --max-expanded "$size" "$engine"
done

echo "1..$n"
