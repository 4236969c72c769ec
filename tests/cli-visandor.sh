#!/bin/sh
# SPDX-License-Identifier: MIT
# The instances of a VisAndOr trace are those that its generator tells of, field by field; from a file and,
# where nothing has to be read again, through a pipe.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
tracestat=$TS_BUILDDIR/tracestat
generate=$TS_BUILDDIR/tests/generate
cd "$folder" || exit 1

cat >columns.awk <<'END'
BEGIN { FS = ","; n = split("type,instance,status,activation,start,end,cet,self,npr,pre,wait", wanted, ",") }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
  line = ""
  for (i = 1; i <= n; i++) line = line " " $at[wanted[i]]
  print line
}
END

count=0
report() {
  count=$((count + 1))
  if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

for format in visandor visandor-or; do
  for seed in 1 2 3; do
    what="$format, seed $seed"
    "$generate" --format $format --seed $seed --cores $((2 * seed)) --events 9000 -o trace --truth truth.csv || exit 1
    "$tracestat" -q --strict -u ticks --instances found.csv trace && [ "$(wc -l <trace)" -ge 9000 ]
    report $? "$what: no defects"
    awk -f columns.awk truth.csv | LC_ALL=C sort >expected
    awk -f columns.awk found.csv | LC_ALL=C sort >found
    [ "$(wc -l <expected)" -gt 2000 ] && cmp -s expected found
    report $? "$what: the instances that there were"
    gzip -c trace | "$tracestat" -q -u ticks --instances piped.csv - && awk -f columns.awk piped.csv | LC_ALL=C sort |
      cmp -s - expected
    report $? "$what: compressed, through a pipe"
  done
done

# cut off, and with two events at one time: defects, unless they are allowed
printf '0\n1 5 0 0 0 0\n2 7 0 1 0 0\n2 9 0 0 0 0\n4 8 0 1 0 0\n' >coarse
status() {
  wanted=$1
  what=$2
  shift 2
  "$tracestat" -q "$@" coarse >/dev/null 2>&1
  [ $? = "$wanted" ]
  report $? "$what"
}
status 0 "defects are told"
status 1 "--strict refuses them" --strict
status 1 "--allow of one of two is not enough" --strict --allow equal-stamps
status 0 "--allow of both is" --strict --allow equal-stamps,no-stop-time
status 2 "--allow knows the names" --strict --allow equal
status 2 "where nobody knows how long a tick is, the window is in ticks: --from" --time-unit ticks --from 1us
status 2 "--to" --time-unit ticks --to 3us
status 0 "in ticks" --time-unit ticks --from 1 --to 3
status 0 "as long as it is known" --from 1us --to 3us

# goal 0 runs 22-30, goal 1 24-34, both forked at 20: IPT 2 and 4, DT 24 - 22, PER 0, ST 24 - 30
printf '0\n10 5 0 0 0 0\n20 1 1 2 0 0\n22 2 1 0 0 0\n24 2 1 1 1 1\n30 3 1 0 0 0\n34 3 1 1 1 1\n36 4 1 2 0 0\n40 6 0 0 0 0\n' >two
goal=$("$tracestat" -u ticks two | awk '/^IPT/ { found = 1 } found && $1 == "goal" { $1 = $1; print; exit }')
[ "$goal" = "goal 2 3 4 2 2 2 0 0 0 -6 -6 -6 - - - -" ]
report $? "goals that overlap, in the summary"
# five forks of a goal that runs 20 of the 30 ticks to its end, and the start of the third is lost: what needs it is absent,
# and so is what would be measured across it (rules 5 and 8)
printf '0\n0 5 0 0 0 0\n' >lost
for n in 1 2 3 4 5; do
  printf '%d00 1 A%d 1 0 0\n%d10 2 A%d 0 0 0\n%d30 3 A%d 0 0 0\n%d35 4 A%d 1 0 0\n' $n $n $n $n $n $n $n $n
done | grep -v '^310 ' >>lost
echo '700 6 0 0 0 0' >>lost
"$tracestat" -q -f csv -u ticks lost 2>/dev/null >lost.csv
for expected in IPT,ticks,4,10,10,10 CET,ticks,4,20,20,20 RT,ticks,5,30,30,30 DT,ticks,2,100,100,100 PER,ticks,4,100,100,100 \
  E2S,ticks,3,80,80,80; do
  grep -q ",goal,$expected," lost.csv
  report $? "a lost start: $expected"
done
"$tracestat" -f json lost 2>/dev/null | grep -q '"name": "missing-start"'
report $? "... is told"
"$tracestat" -f json lost 2>/dev/null | grep -q '"failed": 0'
report $? "... and is no activation that failed"

echo "1..$count"
