#!/bin/sh
# SPDX-License-Identifier: MIT
# Which instance of a task each row of a runnable or a function belongs to.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# owners EXPECTED TRACE: element, number, owner and the number of that, of each row that has an owner
owners () {
  "$program" -q --instances - "$2" >rows.csv
  awk -F, 'NR > 1 && $11 != "" { printf "%s%s %s %s %s", n++ ? ", " : "", $5, $8, $11, $NF }' rows.csv >got
  if [ "$(cat got)" = "$1" ]; then ok "$2: $1"; else not_ok "$2: $1" "$(cat got; cat rows.csv)"; fi
}

# instances of BTF count from 0. r calls f, of which the second one is seen from its end on; r 1 begins in front of its task at one stamp,
# r 2 in an instance of B of which nothing else is in the trace, and r 3 in one that was there before the trace
cat >calls.btf <<'END'
#version 2.2.0
#timescale us
0,W,7,R,r,3,start
1,K,0,T,W,7,preempt
1,K,0,T,A,4,start
2,A,4,R,r,0,start
3,A,4,R,f,0,start
4,A,4,R,f,0,terminate
5,A,4,R,r,0,terminate
6,K,0,T,A,4,terminate
10,A,5,R,r,1,start
10,K,0,T,A,5,start
12,A,5,R,r,1,terminate
13,K,0,T,A,5,terminate
20,B,1,R,r,2,start
22,B,1,R,r,2,terminate
30,K,0,T,B,2,start
END
owners "f 0 A 4, r 0 A 4, r 1 A 5, r 2 B , r 3 W 7" calls.btf
# no other column has moved
head -n 1 rows.csv >got
says got "cet_ticks,line,owner_instance"
"$program" -q --instances rows.jsonl calls.btf
grep '"element":"r"' rows.jsonl | sed 's/.*"owner_instance"/"owner_instance"/; s/.*"line".*/none/' | tr -d '\n' >got
says got '"owner_instance":4}"owner_instance":5}none"owner_instance":7}'
grep '"element":"A"' rows.jsonl >got
lacks "a task has no owner" got owner_instance

# without numbers instances count from 1 in each section
cat >sections.xml <<'END'
<?xml version='1.0'?>
<CommonFormat Version='1.0'><SystemConfiguration Name='S'><Resource ID='0' Scheduler='x'>
<SystemElement Name='A' ID='1' Type='task'><SystemElement Name='r' ID='2' Type='runnable'/></SystemElement></Resource>
<EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>
</EventIDMappings><TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase></SystemConfiguration>
<TraceData Start='0' Stop='10'>
<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry Time='2' EventID='2' ReferenceID='1'/>
<TraceEntry Time='3' EventID='1' ReferenceID='1'/><TraceEntry Time='3' EventID='1' ReferenceID='2'/>
<TraceEntry Time='4' EventID='2' ReferenceID='2'/><TraceEntry Time='5' EventID='1' ReferenceID='2'/>
<TraceEntry Time='6' EventID='2' ReferenceID='2'/><TraceEntry Time='7' EventID='2' ReferenceID='1'/></TraceData>
<TraceData Start='0' Stop='10'>
<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry Time='1' EventID='1' ReferenceID='2'/></TraceData></CommonFormat>
END
owners "r 1 A 2, r 2 A 2, r 1 A 1" sections.xml

echo "1..$n"
