#!/bin/sh
# SPDX-License-Identifier: MIT
# Elements in the order of one of their figures, the worst first.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# A runs from 0 to 10 and from 40 to 46, with f from 2 to 5; B from 10 to 30 (active from 5 on), with f from 11 to 18; C from
# 55 to 56 (active from 50 on)
#
#            CET                 RT
#   A        10 6, mean 8        10 6
#   f in A   3
#   B        20                  25
#   f in B   7
#   C        1                   6
cat >small.xml <<'END'
<CommonFormat Version="1.0">
  <SystemConfiguration Name="s">
    <Resource ID="cpu" Scheduler="OSEK">
      <SystemElement Name="A" ID="1" Type="task"><SystemElement Name="f" ID="2" Type="runnable" /></SystemElement>
      <SystemElement Name="B" ID="3" Type="task"><SystemElement Name="f" ID="4" Type="runnable" /></SystemElement>
      <SystemElement Name="C" ID="5" Type="task" />
    </Resource>
    <EventIDMappings>
      <EventIDMapping EventID="1" EventType="activation" />
      <EventIDMapping EventID="2" EventType="start" />
      <EventIDMapping EventID="3" EventType="end" />
    </EventIDMappings>
    <TimeBase Unit="us"><Value Numerator="1" Denominator="1" /></TimeBase>
  </SystemConfiguration>
  <TraceData Start="0" Stop="56">
    <TraceEntry Time="0" EventID="1" ReferenceID="1" />
    <TraceEntry Time="0" EventID="2" ReferenceID="1" />
    <TraceEntry Time="2" EventID="2" ReferenceID="2" />
    <TraceEntry Time="5" EventID="3" ReferenceID="2" />
    <TraceEntry Time="5" EventID="1" ReferenceID="3" />
    <TraceEntry Time="10" EventID="3" ReferenceID="1" />
    <TraceEntry Time="10" EventID="2" ReferenceID="3" />
    <TraceEntry Time="11" EventID="2" ReferenceID="4" />
    <TraceEntry Time="18" EventID="3" ReferenceID="4" />
    <TraceEntry Time="30" EventID="3" ReferenceID="3" />
    <TraceEntry Time="40" EventID="1" ReferenceID="1" />
    <TraceEntry Time="40" EventID="2" ReferenceID="1" />
    <TraceEntry Time="46" EventID="3" ReferenceID="1" />
    <TraceEntry Time="50" EventID="1" ReferenceID="5" />
    <TraceEntry Time="55" EventID="2" ReferenceID="5" />
    <TraceEntry Time="56" EventID="3" ReferenceID="5" />
  </TraceData>
</CommonFormat>
END

# sheet NAMES ARGUMENT...: the elements of the rows of CET in CSV, each with what encloses it
sheet () {
  wanted=$1
  shift
  "$program" -f csv -m CET "$@" small.xml 2>err | awk -F, 'NR > 1 { print ($4 == "" ? "" : $4 "/") $5 }' | paste -sd ' ' - >out
  if [ "$(cat out)" = "$wanted" ] && [ ! -s err ]; then ok "CSV: $*"; else not_ok "CSV: $*" "$(cat out err)"; fi
}

sheet 'A A/f B B/f C'
sheet 'B A B/f A/f C' --rank CET.max
sheet 'B A B/f A/f C' --rank cetmax
sheet 'C A/f A B/f B' --rank CET.min
sheet 'B A B/f A/f C' --rank CET.mean
sheet 'B B/f A A/f C' --rank CET.p50 # 6 and 10: the first of two
sheet 'B A B/f A/f C' --rank CET.p51
sheet 'A A/f B B/f C' --rank CET.n
sheet 'A A/f B B/f C' --rank CET.stddev
sheet 'B A C A/f B/f' --rank RT.max # without samples: the last, as they stand in the trace
sheet 'B A' --rank CET.max --top 2
sheet 'B A B/f A/f C' --rank CET.max --top 100
sheet 'C A' --rank CET.min --top 2 -t task
sheet 'A/f B/f' --rank CET.min -e f

# page MESSAGE ARGUMENT...: what is printed is standard input, but for bars, lines across, and blanks
page () {
  cat >expected
  message=$1
  shift
  "$program" "$@" 2>err | sed -e 's/ [#.]\{32\}//' -e 's/-\{4,\}//g' -e 's/  */ /g' -e 's/^ //' -e 's/ $//' >out
  if [ ! -s err ]; then same "$message" expected out; else not_ok "$message" "$(cat err)"; fi
}

page "elements of one name are told apart where nothing encloses them" -p 50 -m CET --rank CET.max small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Elements by CET.max, the largest first

CET core execution time
CET [us]
element n min mean p50 max stddev
B 1 20 20 20 20 0
A 2 6 8 6 10 2
f (runnable 4) 1 7 7 7 7 0
f (runnable 2) 1 3 3 3 3 0
C 1 1 1 1 1 0

No defects, no warnings, no notes.
END

page "so many of them, and the worst of all" -p 50 -m CET,RT --rank CET.min --top 2 small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Elements by CET.min, the smallest first: 2 of 5

CET core execution time, RT response time
CET [us] RT [us]
element n min mean p50 max stddev n min mean p50 max stddev
C 1 1 1 1 1 0 1 6 6 6 6 0
f (runnable 2) 1 3 3 3 3 0 - - - - - -

Worst response times
element RT [us] at [us] instance
B 25 10 1
A 10 0 1
C 6 55 1

No defects, no warnings, no notes.
END

# A runs for 10001 us, B for 10020, each 3000 times; and both once for 1 us. Of that many a histogram has both in one bucket, of 64 us.
{
  printf '#version 2.2.0\n#timeScale us\n'
  i=0
  time=0
  while [ $i -le 3000 ]; do
    if [ $i -eq 0 ]; then a=1 b=1; else a=10001 b=10020; fi
    printf '%d,cpu,0,T,A,%d,start\n%d,cpu,0,T,A,%d,terminate\n' $time $i $((time + a)) $i
    printf '%d,cpu,0,T,B,%d,start\n%d,cpu,0,T,B,%d,terminate\n' $((time + 20000)) $i $((time + 20000 + b)) $i
    time=$((time + 50000)) i=$((i + 1))
  done
} >many.btf
"$program" --rank CET.p90 --top 1 many.btf >out 2>err
if grep -q 'come from a histogram' out; then ok "that an order is by a histogram is told"; else not_ok "that an order is by a histogram is told" "$(cat out err)"; fi
"$program" -q -o whole.json many.btf
"$program" -q -o ranked.json -o ranked.csv --rank CET.p90 many.btf
same "an order changes no number" whole.json ranked.json
"$program" --exact-percentiles --rank CET.p90 --top 1 many.btf >out 2>err
if grep -q '^  B  *3001  *10\.02 ' out; then ok "the order by a percentile is exact"; else not_ok "the order by a percentile is exact" "$(cat out err)"; fi

page "the figure is shown where it is in no other column, also if nobody has it" -q -f text -p 50 -m CET --rank RT.max --top 1 -t runnable small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Elements by RT.max, which none of them has, so as they stand in the trace: 1 of 2

CET core execution time
RT CET [us]
element max n min mean p50 max stddev
f (runnable 2) - 1 3 3 3 3 0

No defects, no warnings, no notes.
END
page "... a number as a number" -p 50 -m CET --rank RT.n --top 1 small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Elements by RT.n, the largest first: 1 of 5

CET core execution time
RT CET [us]
element n n min mean p50 max stddev
A 2 2 6 8 6 10 2

No defects, no warnings, no notes.
END
page "the worst are those of all, also by another metric than that of the top" --rank CET.max --top 1 -t runnable,task -m CET,RT -e f -e C -p 50 small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Elements by CET.max, the largest first: 1 of 3

CET core execution time
CET [us]
element n min mean p50 max stddev
f (runnable 4) 1 7 7 7 7 0

Worst response times
element RT [us] at [us] instance
C 6 55 1

No defects, no warnings, no notes.
END
page "loads have no order" -m LOAD --rank CET.max small.xml <<'END'
small.xml: atf, s, 1 core, 5 elements, 16 events, 1 section over 56 us

Load
cpu 66.07 % 37 of 56 us

No defects, no warnings, no notes.
END

"$program" -f csv -m CET --rank POLL.max small.xml >out 2>err
if grep -qF -- '--rank POLL.max: nothing that is shown has a sample of it' err; then
  ok "a figure that nobody has is told"
else
  not_ok "a figure that nobody has is told" "$(cat err)"
fi
"$program" -f csv -m CET --rank RT.max -t runnable small.xml >out 2>err
if grep -qF -- '--rank RT.max: nothing that is shown has a sample of it' err; then
  ok "... also where nobody of those that are shown has it"
else
  not_ok "... also where nobody of those that are shown has it" "$(cat err)"
fi

"$program" -o whole.json small.xml
"$program" -o ranked.json -o ranked.csv --rank CET.max --top 1 small.xml
same "JSON has all elements, as they stand in the trace" whole.json ranked.json
if [ "$(cut -d, -f5 ranked.csv | sort -u | paste -sd ' ' -)" = 'B cpu element' ]; then
  ok "... and CSV beside it those that were asked for"
else
  not_ok "... and CSV beside it those that were asked for" "$(cat ranked.csv)"
fi

echo "1..$n"
