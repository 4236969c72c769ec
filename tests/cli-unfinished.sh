#!/bin/sh
# SPDX-License-Identifier: MIT
# What was not over when the trace ended has no CET, GET and RT, but is no pass either where it took too long already.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# C 1, activated at 10, starts at 12 and runs 12..15 and 20..100 until the end of the trace at 110: CET 83, GET 98 and RT 100 us so far;
# C 2 waits since 30: 80. C 0 took 3 us, and 5 since its activation.
cat >hung.btf <<'END'
#version 2.2.0
#timescale us
0,S,0,T,C,0,activate
2,K,0,T,C,0,start
5,K,0,T,C,0,terminate
10,S,0,T,C,1,activate
12,K,0,T,C,1,start
15,K,0,T,A,0,start
15,K,0,T,C,1,preempt
20,K,0,T,A,0,terminate
20,K,0,T,C,1,resume
30,S,0,T,C,2,activate
100,K,0,T,A,1,start
100,K,0,T,C,1,preempt
110,K,0,T,A,1,terminate
END
head -n 5 hung.btf >good.btf
"$program" -q -o hung.json hung.btf
"$program" -q -o good.json good.btf

# holds TEXT STATUS MESSAGE TRACE...: these limits of C
holds () {
  printf '[C]\n%b' "$1" >limits.ini
  expected_status=$2
  message=$3
  shift 3
  status "$expected_status" "$message" --limits limits.ini "$@"
}
for figure in 'CET 83' 'GET 98' 'RT 100' 'IPT 80'; do
  metric=${figure% *}
  value=${figure#* }
  for trace in hung.btf hung.json; do
    holds "$metric.max = $value us\n" 0 "a bound on $metric that what is open in $trace keeps" "$trace"
    holds "$metric.max = $value us\n$metric.mean = 5 us\n$metric.p99 = 5 us\n$metric.min = 0 us\n" 0 \
      "... which is no sample" "$trace"
    holds "$metric.max = $((value - 1)) us\n" 1 "... and one that it breaks" "$trace"
    says out "  C $metric.max  $value us so far, not <= $((value - 1)) us: "
  done
done
says out "instance 2 at 30 us; limits.ini:2 [C]; it had not started when the trace ended or was"
holds 'GET.absmax = 90 us\n' 1 "a bound on the greatest value" hung.btf
says out "instance 1 at 12 us; limits.ini:2 [C]; it was not over when the trace ended or was"
holds 'GET.max = 2 us\n' 1 "samples beyond the bound are counted" hung.btf
says out "1 of 1 above; instance 1 at 12 us"
holds 'GET.max = >= 90 us\n' 0 "a lower bound that it is above" hung.btf

# of what never ended there are no samples
sed -n '1,2p;6,$p' hung.btf >never.btf
holds 'RT.max = 99 us\n' 1 "what never ended" never.btf
says out "  C RT.max  100 us so far, not <= 99 us"
holds 'RT.max = 100 us\n' 1 "... and is within the bound has no samples" never.btf
says out "no samples to hold against <= 100 us"
holds 'RT.max = 99 us\noptional = true\n' 0 "... which may be, where that is said" never.btf

holds 'GET.max = 90 us\n' 1 "as a table" -f csv --table verdicts hung.btf
says out "violated,false,limit,task,C,,GET,max,ns,1,98000,<=,90000,"
says out ",\"it was not over when the trace ended or was cut, or its start is not in the trace\","

# A 1 was there before the trace: it is seen from 5 on, preempted for 1 us, and never over; in another one it ends, at 9000
printf '#version 2.2.0\n#timescale us\n0,K,0,T,A,1,activate\n1,K,0,T,A,1,start\n4,K,0,T,A,1,terminate\n' >head.btf
printf '5,K,0,T,A,0,preempt\n6,K,0,T,A,0,resume\n' >>head.btf
cp head.btf ended.btf
echo 9000,C,0,T,B,0,start >>head.btf
echo 9000,K,0,T,A,0,terminate >>ended.btf
"$program" -q -o head.json head.btf
for trace in head.btf head.json ended.btf; do
  printf '[A]\nGET.max = 8994 us\n' >limits.ini
  status 1 "what was there before $trace" --limits limits.ini $trace
  says out "  A GET.max  8.995 ms so far, not <= 8.994 ms: "
  says out "or its start is not in the trace"
  printf '[A]\nGET.max = 8995 us\nCET.max = 8994 us\nRT.max = 8995 us\n' >limits.ini
  status 0 "... within its bounds" --limits limits.ini $trace
done

# a report of a version that did not know that much is no reason to fail
"$program" -q -o ended.json ended.btf
sed '/"defects"/d; s/\("writes": 0\),/\1/; /"unfinished": {/,/^      },/d' ended.json >older.json
status 0 "compared with an older report of itself" -q --baseline older.json ended.btf
"$program" -q -o of-older.json older.json
lacks "what is not known is left out" of-older.json '"defects"'

# a branch that lost its start and ended when it split, at 40 and 10 after its activation, though that is told at 90
cat >split.vis <<'END'
1
0 5 0 0 0 0
10 20 A 3 0 0
25 21 A 1 3 3
30 24 A 0 1 1
34 25 A 0 2 2
40 20 B 1 2 2
41 21 B 0 2 2
45 23 A 1 3 3
46 21 A 2 3 3
47 20 C 1 3 3
48 21 C 0 3 3
50 22 B 0 2 2
55 22 C 0 3 3
60 23 A 2 3 3
90 6 0 0 0 0
END
printf '[branch]\nRT.max = 50 us\n' >limits.ini
status 0 "what ended before that was told" --limits limits.ini split.vis

# limits that are made from such a trace hold for it
status 0 "limits from a trace that hangs" -q --write-limits made.ini --margin 0% hung.btf
says made.ini "RT.max = 100 us"
says made.ini "# measured: n 1, mean 5 us, max 100 us at 12 us, instance 1, so far: it was not over"
status 0 "... hold for it" -q --limits made.ini hung.btf
sed 's/^110,/111,/' hung.btf >longer.btf
status 1 "... and break where it takes longer" --limits made.ini longer.btf
says out "  C RT.max    101 us so far, not <= 100 us"

# the same trace is no worse than itself, and worse than one that is well
status 0 "compared with itself" -q --baseline hung.json hung.btf
status 0 "... as a report" -q --baseline hung.json hung.json
status 1 "compared with one that is well" --baseline good.json hung.btf
says out "100 us so far, was 5 us (+1900 %); 1900 % above the allowed 5 us; likely noise"
# one new maximum among few may be chance, and then only LOAD counts, 101 of 110 us after 3 of 5
status 1 "... where chance is an excuse" --significance 0.01 --baseline good.json hung.btf
says out '  K LOAD.max  91.818 %, was 60 % (+53.0 %); 53.0 % above the allowed 60 %'
says out 'FAILED: 1 violated, of '

# of several traces, each on its own
holds 'RT.max = 99 us\n' 1 "of two traces" --junit two.xml good.btf hung.btf
says out "instance 1 at 12 us, hung.btf; limits.ini:2 [C]; it was not over"
says two.xml '<testsuite name="good.btf" tests="1" failures="0"'
says two.xml '<testsuite name="hung.btf" tests="1" failures="1"'
for figure in RT.max RT.absmax; do
  holds "$figure = 99 us\n" 1 "... one without samples, $figure" --junit two.xml good.btf never.btf
  says two.xml '<testsuite name="never.btf" tests="1" failures="1"'
done
"$program" -q -o both.json good.json hung.json
"$program" -q -o direct.json good.btf hung.btf
same "merged reports know it like the traces" direct.json both.json

# an analysis window has what starts in it
holds 'GET.max = 90 us\n' 0 "what starts behind the window" --from 0us --to 11us hung.btf
holds 'GET.max = 90 us\n' 1 "... and within" --from 0us --to 13us hung.btf

# 10 of each 100 us, four times in 310 us, and twice in 110: less than half. Nothing that was measured differs, but for the load
trace () {
  awk -v n="$1" 'BEGIN {
    print "#version 2.2.0\n#timescale us"
    for (i = 0; i < n; i++)
      printf "%d,K,0,T,T,%d,start\n%d,K,0,T,T,%d,terminate\n", 100 * i, i, 100 * i + 10, i
  }'
}
trace 4 >whole.btf
trace 3 >part.btf
trace 2 >short.btf
"$program" -q -o whole.json whole.btf
status 0 "what is much shorter than its baseline" --tolerance LOAD=50% --baseline whole.json short.btf
says out ", all hold; it is 110 us long, and the baseline 310 us"
for trace in part whole; do
  status 0 "... and what is $trace" --tolerance LOAD=50% --baseline whole.json $trace.btf
  lacks "... is not told" out "long, and"
done
"$program" -q -o three.json whole.btf whole.btf whole.btf
status 0 "one of three is not shorter" --tolerance LOAD=50% --baseline three.json whole.btf
lacks "... and is not told to be" out "long"
status 0 "... and a short one is" --tolerance LOAD=50% --baseline three.json short.btf
says out ", all hold; a trace is 110 us long on average, and one of the"

# activations that fail are in no sample
sed 's/^100,.*start/90,S,0,T,T,9,mtalimitexceeded\n95,S,0,T,T,9,mtalimitexceeded\n&/' whole.btf >failed.btf
printf '[T]\nCET.max = 10 us\n' >limits.ini
status 0 "activations that failed" --limits limits.ini failed.btf
says out "PASSED: 1 limit, all hold; 2 activations failed"
status 0 "... and did not in the baseline" --baseline whole.json failed.btf
says out "all hold; 2 activations failed, and 0 in the baseline"
status 1 "... which is no pass where it is said so" -q --strict --refuse failed-activation,no-time-base --limits limits.ini failed.btf
says err "failed.btf:5: an activation failed"
says err "failed.btf: the trace has what --refuse names"
status 1 "... and is told without -q, too" --strict --refuse failed-activation failed.btf
says err "failed.btf:5: an activation failed"
status 1 "... and in the file for a server" --strict --refuse failed-activation --limits limits.ini --junit refused.xml failed.btf
says refused.xml '<testcase classname="strict" name="no defects"'
says refused.xml 'failed-activation'
status 0 "... but not where there are none" -q --strict --refuse failed-activation --limits limits.ini whole.btf
status 0 "... nor if something else is refused" -q --strict --refuse no-time-base --limits limits.ini failed.btf
status 1 "... beside defects that are allowed" -q --strict --allow redundant-end --refuse failed-activation - <<END
$(cat failed.btf)
320,K,0,T,T,3,terminate
END
says err "the trace has what --refuse names"
status 2 "a rule without --strict" --refuse failed-activation failed.btf
says err "--refuse is for --strict"
status 2 "what is allowed and refused" --strict --allow overlap --refuse overlap failed.btf
says err "\`overlap' is in --allow, too"
status 2 "what there is no diagnostic of" --strict --refuse lateness failed.btf
says err "--refuse: there is no diagnostic \`lateness'"
"$program" -q -o failed.json failed.btf
status 0 "... and did there, too" --baseline failed.json failed.btf
lacks "... are not told" out "activations failed"

# C is activated at 0, 10 and 20 and starts at 2, 12 and 21, and then never again until the end at 110: none for 90 and 89 us, which of
# a period of 10 us is a jitter of -790 %. So limits of its samples hold: DT 10 and 9, PER 10 and 10, JIT 0 and 10 %
cat >rests.btf <<'END'
#version 2.2.0
#timescale us
0,S,0,T,C,0,activate
2,K,0,T,C,0,start
5,K,0,T,C,0,terminate
10,S,0,T,C,1,activate
12,K,0,T,C,1,start
15,K,0,T,C,1,terminate
20,S,0,T,C,2,activate
21,K,0,T,C,2,start
25,K,0,T,C,2,terminate
30,K,0,SIG,s,0,write,1
40,K,0,SIG,s,0,write,1
50,K,0,T,A,0,start
60,K,0,T,A,0,terminate
100,K,0,T,A,1,start
110,K,0,T,A,1,terminate
END
"$program" -q -o rests.json rests.btf
for trace in rests.btf rests.json; do
  for limit in 'DT.max = 88 us' 'DT.absmax = 88 us' 'JIT.absmax = 789 %' 'JIT.min = -789 %'; do
    holds "$limit\n" 0 "$limit of what came to rest in $trace" "$trace"
    says out "PASSED: 1 limit, all hold; C came to rest: none started after 21 us"
  done
  holds 'PER.max = 89 us\n' 0 "its activations" "$trace"
  says out "all hold; C came to rest: none was activated after 20 us"
  for limit in 'DT.max = 89 us' 'DT.absmax = 89 us' 'JIT.absmax = 790 %' 'JIT.min = -790 %' 'PER.max = 90 us' 'DT.mean = 10 us' \
    'JIT.max = 10 %' 'DT.min = >= 9 us' 'CET.max = 4 us'; do
    holds "$limit\n" 0 "$limit, which one that came now would keep" "$trace"
    lacks "... is not told" out "came to rest"
  done
done
holds 'DT.max = 9 us\n' 1 "what is broken by samples, too" rests.btf
lacks "... is not told" out "came to rest"
# A starts at 50 and 100: 50, and 10 since then. A signal that nobody writes any more
printf '[C]\nDT.max = 12 us\nPER.max = 12 us\n[A]\nDT.max = 50 us\n[s]\nDT.max = 10 us\n' >limits.ini
status 0 "what came to rest is an element, however many limits of it" --limits limits.ini rests.btf
says out "PASSED: 4 limits, all hold; 2 elements came to rest, as C: none started after 21 us"
status 0 "as a table" -f csv --table verdicts --limits limits.ini rests.btf
says out "holds,true,limit,signal,s,,DT,max,ns,1,10000,<=,10000,0,40000,2,1,rests.btf,limits.ini:7,[s],came to rest: none started after 40 us,"
# until 45 us nothing did: 45 - 21, and 45 - 20
sed '/^[5-9]0,\|^1[01]0,/d' rests.btf >rests40.btf
cp rests40.btf rests45.btf
echo 45,K,0,T,A,0,start >>rests45.btf
holds 'DT.max = 24 us\nPER.max = 25 us\n' 0 "of a trace that ends earlier" rests45.btf
lacks "... it is not told" out "came to rest"
"$program" -q -o rests45.json rests45.btf
"$program" -q -o both.json rests45.json rests.json
"$program" -q -o direct.json rests45.btf rests.btf
same "merged reports know it like the traces" direct.json both.json

# what came to rest in the baseline may do so now, and what did not is told
status 0 "compared with itself" --baseline rests.json rests.btf
lacks "... it is not told" out "came to rest"
# ... where that was beyond the bound there, too: 40 - 21 of a period of 10 is 90 %, and within 100 %
"$program" -q -o rests40.json rests40.btf
status 0 "compared with what hardly did" --tolerance LOAD=100% --tolerance JIT=1000% --baseline rests40.json rests.btf
says out "2 elements came to rest, as C: none"
head -n 12 rests.btf >goes-on.btf
"$program" -q -o goes-on.json goes-on.btf
status 0 "compared with what goes on" --tolerance LOAD=100% --tolerance JIT=20% --baseline goes-on.json rests.btf
says out "; C came to rest:"

echo "1..$n"
