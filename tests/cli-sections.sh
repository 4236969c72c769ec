#!/bin/sh
# SPDX-License-Identifier: MIT
# Pages of a trace with several sections: what is measured in each stands under its own heading.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# A runs from 10 to 30 us, and B from 40 to 45, of 100; then A from 5 to 45, of 50
cat >two.xml <<'END'
<CommonFormat Version="1.0">
  <SystemConfiguration Name="s">
    <Resource ID="cpu" Scheduler="OSEK">
      <SystemElement Name="A" ID="1" Type="task" />
      <SystemElement Name="B" ID="2" Type="task" />
    </Resource>
    <EventIDMappings>
      <EventIDMapping EventID="1" EventType="start" />
      <EventIDMapping EventID="2" EventType="end" />
    </EventIDMappings>
    <TimeBase Unit="us"><Value Numerator="1" Denominator="1" /></TimeBase>
  </SystemConfiguration>
  <TraceData Start="0" Stop="100">
    <TraceEntry Time="10" EventID="1" ReferenceID="1" />
    <TraceEntry Time="30" EventID="2" ReferenceID="1" />
    <TraceEntry Time="40" EventID="1" ReferenceID="2" />
    <TraceEntry Time="45" EventID="2" ReferenceID="2" />
  </TraceData>
  <TraceData Start="0" Stop="50">
    <TraceEntry Time="5" EventID="1" ReferenceID="1" />
    <TraceEntry Time="45" EventID="2" ReferenceID="1" />
  </TraceData>
</CommonFormat>
END
sed -e '/Start="0" Stop="50"/,/<\/TraceData>/d' two.xml >one.xml

# page MESSAGE ARGUMENT...: what is printed is standard input, but for bars, lines across, and blanks
page () {
  cat >expected
  message=$1
  shift
  "$program" "$@" 2>err | sed -e 's/ [#.]\{32\}//' -e 's/--*\( CET.*\) --*$/\1/' -e 's/\(Section.*\) --*$/\1/' -e 's/  */ /g' -e 's/^ //' >out
  if [ ! -s err ]; then same "$message" expected out; else not_ok "$message" "$(cat err)"; fi
}

page "each section has a table of its own" --per-section -p 50 -m CET,LOAD two.xml <<'END'
two.xml: atf, s, 1 core, 2 elements, 6 events, 2 sections over 150 us

CET core execution time
CET [us]
element n min mean p50 max stddev
A 2 20 30 20 40 10
B 1 5 5 5 5 0

Load
cpu 43.33 % 65 of 150 us

Section 1

CET core execution time
CET [us]
element n min mean p50 max stddev
A 1 20 20 20 20 0
B 1 5 5 5 5 0

Load
cpu 25.00 % 25 of 100 us

Section 2

CET core execution time
CET [us]
element n min mean p50 max stddev
A 1 40 40 40 40 0
B - - - - - -

Load
cpu 80.00 % 40 of 50 us

No defects, no warnings, no notes.
END

page "of several traces it is said which one" --per-section -m LOAD two.xml one.xml <<'END'
two.xml: atf, s, 1 core, 2 elements, 6 events, 2 sections over 150 us
one.xml: atf, s, 1 core, 2 elements, 4 events, 1 section over 100 us

Load
cpu 36.00 % 90 of 250 us

Section 1 of two.xml

Load
cpu 25.00 % 25 of 100 us

Section 2 of two.xml

Load
cpu 80.00 % 40 of 50 us

Section 1 of one.xml

Load
cpu 25.00 % 25 of 100 us

No defects, no warnings, no notes.
END

page "where nothing was measured there is a list of what there is" --per-section -m RT -e A two.xml <<'END'
two.xml: atf, s, 1 core, 2 elements, 6 events, 2 sections over 150 us

Elements, none with a sample
element type
A task

Section 1

Elements, none with a sample
element type
A task

Section 2

Elements, none with a sample
element type
A task

No defects, no warnings, no notes.
END

# of two elements of one name more is said
sed 's/Name="B"/Name="A"/' one.xml >alike.xml
page "names that two have" -m CET,GET,LOAD,RT alike.xml <<'END'
alike.xml: atf, s, 1 core, 2 elements, 4 events, 1 section over 100 us

CET core execution time, GET gross execution time
CET [us] -- -- GET [us]
element n min mean max min mean max
A (task 1) 1 20 20 20 20 20 20
A (task 2) 1 5 5 5 5 5 5

Load
cpu 25.00 % 25 of 100 us

Worst gross execution times
element GET [us] at [us] instance
A (task 1) 20 10 1
A (task 2) 5 40 1

No defects, no warnings, no notes.
END

# the line across ends where the page does: that has 100 columns, and "Section 1" and a blank 10
"$program" --per-section -m LOAD two.xml >out
if grep -qx 'Section 1 -\{90\}' out; then ok "a heading is as wide as the page"; else not_ok "a heading is as wide as the page" "$(cat out)"; fi

# A has 20 and 40, and B 5; in the second section B has nothing
page "each section has an order of its own" --per-section -p 50 -m CET --rank CET.min two.xml <<'END'
two.xml: atf, s, 1 core, 2 elements, 6 events, 2 sections over 150 us

Elements by CET.min, the smallest first

CET core execution time
CET [us]
element n min mean p50 max stddev
B 1 5 5 5 5 0
A 2 20 30 20 40 10

Section 1

Elements by CET.min, the smallest first

CET core execution time
CET [us]
element n min mean p50 max stddev
B 1 5 5 5 5 0
A 1 20 20 20 20 0

Section 2

Elements by CET.min, the smallest first

CET core execution time
CET [us]
element n min mean p50 max stddev
A 1 40 40 40 40 0
B - - - - - -

No defects, no warnings, no notes.
END

echo "1..$n"
