#!/bin/sh
# SPDX-License-Identifier: MIT
# Which elements have defects, so that one knows what numbers to rely on.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# A ends twice more than it starts, which is redundant, B once; C is well
cat >three.btf <<'END'
#version 2.2.0
#timescale us
0,K,0,T,C,0,start
1,K,0,T,C,0,terminate
2,K,0,T,B,0,start
3,K,0,T,B,0,terminate
4,K,0,T,B,0,terminate
5,K,0,T,A,0,start
6,K,0,T,A,0,terminate
7,K,0,T,A,0,terminate
8,K,0,T,A,0,terminate
END
status 0 "the elements that have defects" three.btf
says out "Defects are of A (2), B (1)."
"$program" -q -o three.json three.btf
"$program" -q -f json three.btf | sed -n '/"element": /{s/.*: //;p};s/ *"defects": //p' | tr -d '\n' >out
says out '"C",0"B",1"A",2'
status 0 "... of a report that was read" three.json
says out "Defects are of A (2), B (1)."
"$program" -q -o both.json three.json three.json
"$program" -q -o direct.json three.btf three.btf
for file in direct both; do
  status 0 "... of two traces, $file.json" $file.json
  says out "Defects are of A (4), B (2)."
done
# the first reports do not have the count
sed '/"defects"/d; s/\("writes": 0\),/\1/' three.json >first.json
status 0 "... of a report without the count" first.json
lacks "... has none" out "Defects are"
sed 's/"defects": 2/"defects": -2/' three.json >negative.json
status 2 "... with a count that is none" negative.json
says err "defects"

# a baseline with defects may be worse than its program was, whether it is a trace or a report
grep -v '^[478],' three.btf >well.btf
for baseline in three.btf three.json; do
  status 0 "a baseline with defects, $baseline" --tolerance LOAD=100% --baseline $baseline well.btf
  says out "all hold; the baseline has defects: redundant-end"
  status 1 "... is refused by --strict" -q --strict --junit strict.xml --tolerance LOAD=100% --baseline $baseline well.btf
  says err "tracestat: baseline: three.btf:7: an end without a running instance"
  says err "$baseline: the baseline is defective, and --strict was given"
  says strict.xml 'message="there is what --strict refuses"'
  says strict.xml "baseline: three.btf:7: an end without a running instance"
  lacks "... and the trace is not" err "the trace is defective"
  status 1 "... and with the trace" -q --strict --tolerance LOAD=100% --baseline $baseline three.btf
  says err "$baseline: the baseline is defective, and --strict was given"
  says err "three.btf: the trace is defective, and --strict was given"
  status 0 "... but not where they are allowed" -q --strict --allow redundant-end --tolerance LOAD=100% --baseline $baseline well.btf
done
# its notes are not what a release is refused for
printf '#version 2.2.0\n#timescale us\n0,K,0,T,C,0,start\n1,K,0,T,C,0,terminate\n2,K,0,T,C,1,mtalimitexceeded\n' >failed.btf
status 0 "a baseline with notes" -q --strict --refuse failed-activation --tolerance LOAD=100% --baseline failed.btf - <<END
$(sed '$d' failed.btf)
END

# once, also where there was no room for one more activation
for others in 60 61 62 63 64; do
  awk -v n="$others" 'BEGIN {
    print "#version 2.2.0\n#timescale us"
    for (i = 0; i < n; i++)
      printf "0,S,0,T,X%d,0,activate\n", i
    print "10,K,0,T,A,0,start\n10,S,0,T,A,0,activate\n20,K,0,T,A,0,terminate"
  }' >behind.btf
  status 0 "an activation behind its start, and $others others" behind.btf
  says out "Defects are of A (1)."
done

# of many those that have most, and in the order of the report where they have as many
awk 'BEGIN {
  print "#version 2.2.0\n#timescale us"
  for (i = 0; i < 10; i++) {
    printf "%d,K,0,T,T%d,0,start\n%d,K,0,T,T%d,0,terminate\n%d,K,0,T,T%d,0,terminate\n", 10 * i, i, 10 * i + 1, i, 10 * i + 2, i
    if (i == 7)
      printf "%d,K,0,T,T%d,0,terminate\n", 10 * i + 3, i
  }
}' >many.btf
status 0 "of many elements" many.btf
says out "Defects are of T7 (2), T0 (1), T1 (1), T2 (1), T3 (1), T4 (1), T5 (1), T6 (1) and 2 more;"

# what is no defect does not count: a task that was there before, and one that is cut
printf '#version 2.2.0\n#timescale us\n0,K,0,T,A,0,terminate\n1,K,0,T,B,0,start\n5,K,0,T,A,1,activate\n' >notes.btf
status 0 "notes" notes.btf
lacks "... are no defects" out "Defects are"

# in a section they are those of it
cat >sections.xml <<'END'
<?xml version='1.0'?>
<CommonFormat Version='1.0'><SystemConfiguration Name='S'><Resource ID='0' Scheduler='x'>
<SystemElement Name='A' ID='1' Type='task'/></Resource>
<EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>
</EventIDMappings><TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase></SystemConfiguration>
<TraceData Start='0' Stop='10'>
<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry Time='2' EventID='1' ReferenceID='1'/>
<TraceEntry Time='3' EventID='1' ReferenceID='1'/><TraceEntry Time='4' EventID='2' ReferenceID='1'/></TraceData>
<TraceData Start='0' Stop='10'>
<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry Time='2' EventID='2' ReferenceID='1'/></TraceData>
<TraceData Start='0' Stop='10'>
<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry Time='2' EventID='1' ReferenceID='1'/>
<TraceEntry Time='4' EventID='2' ReferenceID='1'/></TraceData></CommonFormat>
END
"$program" -q --per-section -f json sections.xml | sed -n 's/ *"defects": //p' | tr '\n' ' ' >out
says out "3 2 0 1"

echo "1..$n"
