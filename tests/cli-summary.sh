#!/bin/sh
# SPDX-License-Identifier: MIT
# What the summary tells of where elements ran.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# A on C0, B on C1 and then on C0; the function f in both; N is only activated, and so nowhere
cat >two.btf <<'END'
#version 2.2.0
#timescale us
0,C0,0,T,A,0,start
1,A,0,R,f,0,start
2,A,0,R,f,0,terminate
4,C0,0,T,A,0,terminate
10,C1,0,T,B,0,start
11,B,0,R,f,1,start
12,B,0,R,f,1,terminate
14,C1,0,T,B,0,terminate
20,C0,0,T,B,1,start
24,C0,0,T,B,1,terminate
30,S,0,T,N,0,activate
END

# columns EXPECTED TITLE: the element and what follows it in the first table of that title
columns () {
  sed -n "/^$2/,/^\$/p" out | awk '$1 ~ /^[ABfN]$/ { printf "%s%s %s", n++ ? ", " : "", $1, $2 }' >got
  expected=$1
  if [ "$(cat got)" = "$expected" ]; then ok "$2: $expected"; else not_ok "$2: $expected" "$(cat got; cat out)"; fi
}

status 0 "elements on several cores" two.btf
columns "A C0, f C0+C1, B C0+C1, N 0" "CET core execution time"
columns "f 10, B 10" "DT delta time"
status 0 "... with metrics by name" -m DT two.btf
columns "A C0, f C0+C1, B C0+C1, N -" "DT delta time"
status 0 "... of which some are left out" -e A -e N two.btf
columns "A 1, N 0" "CET core execution time"
sed 's/C1/C0/' two.btf >one.btf
status 0 "all on one core" one.btf
columns "A 1, f 2, B 2, N 0" "CET core execution time"
sed 's/C0/Processor_0/; s/C1/Processor_1/' two.btf >long.btf
status 0 "names that are long together" long.btf
columns "A Processor_0, f 2, B 2, N 0" "CET core execution time"
says out "2 of them"
sed 's/C0/The_first_processor/; s/C1/The_second_processor/' two.btf >longer.btf
status 0 "... and alone" longer.btf
columns "A The_first_processor, f 2, B 2, N 0" "CET core execution time"

# a name of its own with a +
sed 's/C0/The+first+processor/; s/C1/Other/' two.btf >plus.btf
status 0 "a core with a name in which there is a +" plus.btf
columns "A 3, f 4, B 4, N 0" "CET core execution time"

echo "1..$n"
