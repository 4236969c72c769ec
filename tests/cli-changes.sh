#!/bin/sh
# SPDX-License-Identifier: MIT
# What changed since a baseline, as the page shows it: in which order, what is not shown, and what is said of each.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# changes MESSAGE ARGUMENT...: the rows are standard input, but for blanks
changes () {
  cat >expected
  message=$1
  shift
  "$program" "$@" 2>&1 | sed -n '/^Changes since/,/^$/p' | sed -e 1,2d -e '/^$/d' -e 's/  */ /g' -e 's/^ //' >out
  same "$message" expected out
}

# 21 tasks that run for so many us, 30 times each: 30 equal values, and then 30 others, are no chance
trace () {
  awk -v cet="$1" 'BEGIN {
    print "#version 2.2.0\n#timescale us"
    for (i = 0; i < 30; i++)
      for (k = 1; k <= 21; k++) {
        t = 1000 * i + 40 * k
        printf "%d,C,0,T,T%02d,%d,start\n%d,C,0,T,T%02d,%d,terminate\n", t, k, i, t + cet, k, i
      }
  }'
}
trace 10 >before.btf
trace 12 >now.btf
"$program" -q -o before.json before.btf

# CET and GET of each rose by a fifth, and LOAD by nearly as much. Of 43 rows there is room for 40, of 20 tasks: the three figures
# of CET and GET of the last one, and LOAD, are 7. Of all 21 the jitter of their starts, which is none, did not change.
for k in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
  for metric in CET GET; do
    echo "T$k $metric.mean, p99, max 10 us 12 us +2 us +20 % ^ worse"
  done
done >rows
changes "the first rows of many" --baseline before.json --tolerance 50% now.btf <rows
status 0 "what is within its tolerance passes" --baseline before.json --tolerance 50% now.btf
says out 'Not shown: 7 more changes, 21 figures without a change. All are in -f csv --table comparison.'

# of A it is 10 us and then 15, of D nothing and then 5, and of one value each that may be chance; B does not end any more, and
# so it has run for 80 us when the trace ends, which is no chance: with 15 and 5 of others that is all of the time, and was 20
cat >one.btf <<'END'
#version 2.2.0
#timescale us
0,C,0,T,A,0,start
10,C,0,T,A,0,terminate
20,C,0,T,B,0,start
30,C,0,T,B,0,terminate
30,C,0,T,D,0,start
30,C,0,T,D,0,terminate
100,C,0,T,E,0,start
100,C,0,T,E,0,terminate
END
sed -e 's/^10,C/15,C/' -e '/^30,C,0,T,B/d' -e 's/^30,\(.*D,0,term\)/35,\1/' one.btf >two.btf
"$program" -q -o one.json one.btf

for figure in CET.mean CET.p99 GET.mean GET.p99; do
  echo "B $figure 10 us - NO SAMPLES"
done >gone
for metric in CET GET; do echo "B $metric.max 10 us 80 us +70 us +700 % ^ VIOLATED"; done >open
{
  cat open
  echo 'C LOAD.max 20 % 100 % +80 % +400 % ^ VIOLATED'
  cat gone
  for metric in CET GET; do echo "D $metric.mean, p99, max 0 s 5 us +5 us ^ likely noise"; done
  for metric in CET GET; do echo "A $metric.mean, p99, max 10 us 15 us +5 us +50 % ^ likely noise"; done
} >rows
changes "behind what is violated stands what has no samples, and then what may be chance" \
  --significance 0.01 --baseline one.json two.btf <rows
status 1 "what has no samples any more does not pass" --significance 0.01 --baseline one.json two.btf
says out 'FAILED: 3 violated and 4 that could not be checked, of 25 comparisons with one.json (12 changes'
says out '  B CET.max   80 us so far, was 10 us (+700 %); 700 % above the allowed 10 us'
says out 'instance 0 at 20 us; no tolerance; it was not over when the trace ended or was cut'

# where chance is no excuse: what cannot be told in percent before what can
{
  cat open
  echo 'C LOAD.max 20 % 100 % +80 % +400 % ^ VIOLATED'
  for metric in CET GET; do echo "D $metric.mean, p99, max 0 s 5 us +5 us ^ VIOLATED, likely noise"; done
  for metric in CET GET; do echo "A $metric.mean, p99, max 10 us 15 us +5 us +50 % ^ VIOLATED, likely noise"; done
  cat gone
} >rows
changes "and before it where that is no excuse" --baseline one.json two.btf <rows

# what is not chosen is checked all the same, and counted: CET and GET of A, B and D are 18 figures
status 1 "a check looks at all elements" -m LOAD --baseline one.json two.btf
says out 'Not shown: 18 changes of what was not chosen. All are in -f csv --table comparison.'
status 1 "... also where none of it is shown" -e E -m CET --baseline one.json two.btf
says out 'Not shown: 19 changes of what was not chosen, 3 figures without a change.'

# a bound a thousand times as large does not decide on the unit, and what has no samples any more has no bound
printf '#version 2.2.0\n#timescale us\n0,K,0,T,T,0,start\n985,K,0,T,T,0,terminate\n' >short.btf
printf '[T]\nCET.max = 0.5 ms\n' >limits.ini
status 1 "the value has the unit of the bound" -q --limits limits.ini short.btf
says err "985 us, not <= 500 us"
printf '[T]\nCET.max = >= 2 s\n' >limits.ini
status 1 "... but not where little would be left of it" -q --limits limits.ini short.btf
says err "985 us, not >= 2 s"
sed '$d' short.btf >open.btf
status 1 "samples of the baseline that are no more" -q --tolerance all=1000000% --baseline short.btf open.btf
says err "no samples any more; 985 us in the baseline"

echo "1..$n"
