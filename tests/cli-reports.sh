#!/bin/sh
# SPDX-License-Identifier: MIT
# JSON reports that are read again, in whatever unit they are: the same once more, and the same as the traces themselves.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# a tick is a third of a microsecond, so 10 of them are 0.00000333333333333333 s: A runs for 20, and for 25 from 80 on
cat >thirds.xml <<'END'
<CommonFormat Version="1.0">
  <SystemConfiguration Name="s">
    <Resource ID="cpu" Scheduler="OSEK"><SystemElement Name="A" ID="1" Type="task" /></Resource>
    <EventIDMappings>
      <EventIDMapping EventID="1" EventType="start" />
      <EventIDMapping EventID="2" EventType="end" />
    </EventIDMappings>
    <TimeBase Unit="us"><Value Numerator="1" Denominator="3" /></TimeBase>
  </SystemConfiguration>
  <TraceData Start="0" Stop="200">
    <TraceEntry Time="10" EventID="1" ReferenceID="1" />
    <TraceEntry Time="30" EventID="2" ReferenceID="1" />
    <TraceEntry Time="80" EventID="1" ReferenceID="1" />
    <TraceEntry Time="105" EventID="2" ReferenceID="1" />
  </TraceData>
</CommonFormat>
END
# and one whose tick is a seventh of a second, in which A runs for 3
sed -e 's/Unit="us"/Unit="s"/' -e 's/Denominator="3"/Denominator="7"/' -e 's/Time="30"/Time="13"/' thirds.xml >sevenths.xml

for unit in ns us ms s ticks; do
  status 0 "a report in $unit" -q --unit "$unit" -o first.json thirds.xml
  status 0 "... can be read" -q --unit "$unit" -o again.json first.json
  same "... and is the same again" first.json again.json
  # beside another one
  "$program" -q --unit "$unit" -o first.json thirds.xml
  "$program" -q --unit "$unit" -o second.json sevenths.xml
  "$program" -q -f csv thirds.xml sevenths.xml >traces.csv
  "$program" -q -f csv first.json second.json >reports.csv
  same "... and beside another one what both traces are" traces.csv reports.csv
done
# by the name of its format
"$program" -q -f csv thirds.xml >trace.csv
status 0 "a report that is said to be one" -q --input-format report -f csv first.json
same "... is read as ever" trace.csv out
status 0 "... is compared with a trace" -q --input-format report --baseline thirds.xml first.json
status 2 "a trace that is said to be one" -q --input-format report thirds.xml
"$program" -q --unit s -o first.json thirds.xml
says first.json '"min_at": 0.00000333333333333333,'

echo "1..$n"
