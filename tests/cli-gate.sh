#!/bin/sh
# SPDX-License-Identifier: MIT
# The release check as a CI job has it: exit statuses, verdicts, files.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

generate=$TS_BUILDDIR/tests/generate
engine=$TS_SRCDIR/data/engine.atf.xml
limits=$TS_SRCDIR/data/limits.ini

absent () {
  if [ -e "$1" ]; then not_ok "... and leaves no $1"; else ok "... and leaves no $1"; fi
}

# the example
status 0 "the example keeps its limits" --limits "$limits" "$engine"
says out "PASSED: 32 limits, all hold"
status 0 "a pass is silent with -q" -q --limits "$limits" "$engine"
if [ ! -s out ] && [ ! -s err ]; then ok "... nothing at all"; else not_ok "... nothing at all" "$(cat out err)"; fi
status 1 "the example breaks what it carries itself" -q --limits annotations "$engine"
# Isr_CanReceive took 240 us at most, and its annotation says 400 ticks of 100 ns
says err "Isr_CanReceive CET.max   240 us, not <= 40 us: 500 % above"
says err "FAILED: 3 violated, of 13 limits"
if head -n 2 err | grep -q Isr_CanReceive; then ok "the worst comes first"; else not_ok "the worst comes first" "$(cat err)"; fi

# one bound exactly met, and one tick beyond: CET.max of Task_10ms is 1571 us, and a tick 100 ns
printf '[Task_10ms]\nCET.max = 1571 us\n' >met.ini
printf '[Task_10ms]\nCET.max = 15709 ticks\n' >beyond.ini
status 0 "a bound that is met passes" --limits met.ini "$engine"
status 1 "one tick beyond does not" --limits beyond.ini "$engine"
says out "FAILED: 1 violated, of 1 limit"

# sections are compared by characters, of however many bytes: two each, so the one with a type decides
printf '#timeScale us\n0,C,0,T,Größe,0,start\n5,C,0,T,Größe,0,terminate\n' >size.btf
printf '[task:Gr*]\nCET.max = 4 us\n[*ße]\nCET.max = 9 us\n' >size.ini
status 1 "a section with a type is closer than one with as many characters" -q --limits size.ini size.btf
printf '[Gr*]\nCET.max = 9 us\n[task:*ße]\nCET.max = 4 us\n' >size.ini
status 1 "... whichever has more bytes" -q --limits size.ini size.btf
# a limit is written as it was given, or it could look like what breaks it
printf '[task:*]\nCET.max = 4.99999999 us\n' >size.ini
status 1 "a value little beyond a limit" -q --limits size.ini --junit size.xml size.btf
says err "5 us, not <= 4.99999999 us"
says size.xml "CET.max &lt;= 4.99999999 us"

# from a good trace to a bad one
"$generate" --shape engine --slow Task_10ms=0% -o good.xml &&
  "$generate" --shape engine --slow Task_10ms=3% -o bad.xml || exit 1
status 0 "limits are written" -q --write-limits new.ini --margin 2% -t task -m CET good.xml
says new.ini "# measured: n "
status 0 "the trace that they come from keeps them" -q --limits new.ini good.xml
status 1 "one where a task takes 3 % longer does not" -q --limits new.ini bad.xml
says err "Task_10ms CET.max"
says err "FAILED: 1 violated, of 10 limits"
status 0 "limits without a margin are kept as well" -q --write-limits exact.ini --margin 0% \
  -m CET,RT,ST,JIT,IPT,GET,PER,PRE,NPR,SELF,E2S,LOAD "$engine"
status 0 "... by their own trace" -q --limits exact.ini "$engine"
sed 's/CET.max/CET.mix/' new.ini >typing.ini
status 2 "a typing error is none that passes" -q --limits typing.ini -o never.json good.xml
says err "typing.ini:6: \`mix' is not a statistic"
absent never.json

# files that are not there or not what they should be
status 2 "limits that are not there" --limits nowhere.ini "$engine"
says err "nowhere.ini: no such file or directory"
status 2 "... in an empty stream" --limits - "$engine" </dev/null
says err "standard input: there is no limit in it"
status 2 "... a folder" --limits . "$engine"
says err ".: is a directory"
status 2 "a baseline that is not there" --baseline nowhere.json "$engine"
status 2 "an option for another format, mistyped" --activation sometimes "$engine"
says err "--activation sometimes: none, dep,"
# a variable that was not set must not mean everything
for option in --metric --type --element; do status 2 "an empty $option" "$option" '' "$engine"; done
says err "--element: a name, or a glob, is expected"
status 2 "... of several" -e T1 -t task -t '' "$engine"
says err "\`' is not a type of elements"
status 2 "a tolerance without a baseline" --tolerance 5% "$engine"
status 2 "a tolerance that is none" --baseline good.xml --tolerance 5 good.xml
status 2 "a tolerance of what is not compared" --baseline good.xml --tolerance CET.p50=5% good.xml
says err "--tolerance CET.p50=5%: \`CET.p50' is not compared"
status 2 "... of a metric" --baseline good.xml --tolerance PRE=5% good.xml
status 2 "... of the other end" --baseline good.xml --tolerance ST.max=5% good.xml
status 0 "... but of all that are" --baseline good.xml --tolerance CET.mean=1us --tolerance IPT=1% --tolerance ST=1% \
  --tolerance JIT.absmax=1% --tolerance LOAD=1% --tolerance LOAD.max=1% --tolerance ALL=1% good.xml
status 2 "verdicts in the name of standard input" --limits "$limits" --junit - good.xml
absent -
status 2 "a significance that is none" --baseline good.xml --significance 5 good.xml
status 2 "verdicts of nothing" --junit j.xml "$engine"
status 2 "a margin of nothing" --margin 5% "$engine"
status 2 "defects that nothing holds up" --allow overlap "$engine"
says err "--allow is for --strict"
: >empty.ini
status 2 "no limit at all" --limits empty.ini "$engine"
says err "empty.ini: there is no limit in it"
status 2 "... even if another file has one" -q --limits "$limits" --limits empty.ini "$engine"
printf '[Task_1ms]\n' >nothing.ini
status 2 "a section without a limit" --limits nothing.ini "$engine"
says err "nothing.ini: there is no limit to check"
cp "$limits" mine.ini
status 2 "a file of limits is no output" --limits mine.ini --write-limits mine.ini "$engine"
same "... and stays as it is" "$limits" mine.ini

# what cannot be looked at is no pass
printf '[Task_11ms]\nCET.max = 1 s\n' >nobody.ini
status 1 "a section that matches nothing" --limits nobody.ini "$engine"
says out "matches no element"
printf '[Isr_CrankTdc]\nRT.max = 1 s\n' >nothing.ini
status 1 "no samples" --limits nothing.ini "$engine"
echo 'optional = true' >>nothing.ini
status 0 "no samples, which are optional" --limits nothing.ini "$engine"

# two activations at once, so a period of zero: each report finds that anew, and the count does not grow
cat >zero.xml <<END
<CommonFormat Version="1.0"><SystemConfiguration Name="x"><Resource ID="0"><SystemElement Name="A" ID="1" Type="task"/>
</Resource><EventIDMappings><EventIDMapping EventID="0" EventType="activation"/><EventIDMapping EventID="2" EventType="start"/>
<EventIDMapping EventID="3" EventType="end"/></EventIDMappings><TimeBase Unit="us"><Value Numerator="1" Denominator="1"/>
</TimeBase></SystemConfiguration><TraceData Start="0">
<TraceEntry Time="0" EventID="0" ReferenceID="1"/><TraceEntry Time="0" EventID="0" ReferenceID="1"/>
<TraceEntry Time="1" EventID="2" ReferenceID="1"/><TraceEntry Time="2" EventID="3" ReferenceID="1"/>
<TraceEntry Time="3" EventID="2" ReferenceID="1"/><TraceEntry Time="4" EventID="3" ReferenceID="1"/>
</TraceData></CommonFormat>
END
status 0 "a period of zero" -q -o zero.json zero.xml
status 0 "... in a report of a report" zero.json
says out "note     1  zero-period"

# windows, several traces, standard input
printf '[Task_2ms]\nCET.max = 1 ms\n' >window.ini
status 1 "the slow instance of Task_2ms began at 1.066 s" -q --limits window.ini "$engine"
status 0 "a window without it" -q --limits window.ini --from 1.07s "$engine"
status 1 "two traces, of which the second one is too slow" -q --limits new.ini good.xml bad.xml
says err ", bad.xml"
status 1 "a trace from standard input" -q --limits new.ini - <bad.xml

# reports as inputs
"$generate" --shape engine --seed 7 --sections 2 --duration 3000000 -o long.xml || exit 1
for name in good bad long; do
  "$program" -q -o $name.json $name.xml || exit 1
done
status 0 "a report of two traces" -q -o pooled.json good.xml long.xml
status 0 "a report of two reports" -q -o merged.json good.json long.json
same "they are the same" pooled.json merged.json
status 0 "a report of a trace and a report" -q -o mixed.json good.xml long.json
same "it is the same as well" pooled.json mixed.json
status 0 "a report of a report of two traces" -q -o again.json merged.json
same "so is that" pooled.json again.json
# 1530 minutes in units of 10 fs are 9.2e18 of them, just below 2^63
printf 'TU MINUTES\nR 0 1 false ; name=cpu\nC 0 0 1 0 1 ; name=A\nC 1 1530 1531 0 1 ; name=A\n' >far.etf
printf 'TU NANOSECONDS\nR 0 1 false ; name=cpu\nC 0 0 0.00001 0 1 ; name=A\n' >fine.etf
status 0 "a report of long and of fine times" -q -o far.csv -o far.json far.etf fine.etf
status 0 "... can be read" -q -o far-again.csv far.json
same "... with the same numbers" far.csv far-again.csv
"$program" good.xml long.xml >a.txt 2>err
"$program" merged.json >b.txt 2>err
same "and so is the summary" a.txt b.txt
status 2 "a report has no instances" -q --instances i.csv good.json
status 2 "a report has no window" -q --from 1s good.json
status 1 "limits hold against reports" -q --limits new.ini bad.json

# the same names of a resource as in the rows of LOAD
"$program" -q -f csv -m LOAD good.xml | tail -n +2 | cut -d, -f3-7 | sort >load.txt
printf '[resource:*]\nLOAD = 100 %%\n' >load.ini
"$program" -q -f csv --table verdicts --limits load.ini good.xml | awk -F, 'NR > 1 { print $23 "," "," $5 "," $6 "," $4 }' | sort >verdicts.txt
same "verdicts on loads name their resource" load.txt verdicts.txt

# comparisons
status 0 "nothing changed" --baseline good.json good.xml
says out "all hold"
status 1 "something did" -q --baseline good.json bad.json
says err "likely noise"
status 0 "40 % of CET are allowed" -q --baseline good.json --tolerance CET=40% --tolerance 1000% bad.xml
status 1 "2.9 % of CET.max are allowed" -q --baseline good.json --tolerance CET.max=2.9% --tolerance 1000% bad.xml
says err "Task_10ms CET.max"
says err "1.7433 ms, was 1.6926 ms (+3.00 %)"
printf '[tolerance]\nall = 1000 %%\nIPT = 1 s\n' >tolerance.ini
status 0 "tolerances of a file" -q --limits tolerance.ini --baseline good.json bad.xml
status 1 "the command line before the file" -q --limits tolerance.ini --tolerance 0% --baseline good.json bad.xml
printf '[tolerance]\nall = 0 %%\n[tolerance:*]\nall = 1000 %%\nIPT = 1 s\n[tolerance:resource:*]\nLOAD = 1000 %%\n' >tolerance.ini
status 0 "tolerances of elements and of resources" -q --limits tolerance.ini --baseline good.json bad.xml
printf '[tolerance:Taks_10ms]\nCET = 5 %%\n' >tolerance.ini
status 1 "a tolerance of nobody" -q --limits tolerance.ini --baseline good.json good.xml
says err "[tolerance:Taks_10ms]  matches no element"
"$program" -q -f csv --table comparison --limits tolerance.ini --baseline good.json good.xml >out 2>err
if grep -q Taks out; then not_ok "... which is no figure" "$(grep Taks out)"; else ok "... which is no figure"; fi
printf '[tolerance:Task_10ms]\n' >tolerance.ini
status 2 "an empty section of tolerances" -q --limits tolerance.ini --baseline good.json good.xml
says err "tolerance.ini: there is no limit in it"
status 0 "18 jobs that take 3 % longer are no proof" -q --baseline good.json --significance 0.01 \
  --tolerance LOAD=5% bad.xml
sed 's/"schema": 1/"schema": 9/' good.json >future.json
status 2 "a baseline of another schema" -q --baseline future.json bad.xml
says err "future.json: a report with schema 9"
status 0 "a part of a report is written" -q -m CET -o part.json good.xml
status 2 "... and is no baseline" -q --baseline part.json good.xml
says err "shows a part only"
sed 's/"RT": {/"XX": {/' good.json >lacking.json
status 1 "a baseline without a metric" -q --baseline lacking.json good.xml
says err "the baseline does not have this metric"
# what is calculated from the samples was changed by hand
for name in max mean p99; do
  awk -v name="\"$name\":" '!done && $1 == name { sub (/: [0-9.]+/, ": 77"); done = 1 } { print }' good.json >changed.json
  status 2 "a baseline whose $name was changed" -q --baseline changed.json good.xml
  says err "\`$name' is not what the samples say"
done
# edited EXPRESSION MESSAGE: CET of T, with n = 2
cat >plain.btf <<END
#timeScale ns
0,C,0,T,T,0,start
3,C,0,T,T,0,terminate
10,C,0,T,T,1,start
15,C,0,T,T,1,terminate
END
"$program" -q -o plain.json plain.btf || exit 1
edited () {
  sed "/\"CET\": {/,/histogram/ { $1; }" plain.json >changed.json
  if cmp -s plain.json changed.json; then not_ok "$1 changes something"; fi
  status 2 "a report of which somebody changed what is summed: $1" -q -o again.json changed.json
  says err "changed.json: T, CET: $2"
}
status 0 "a report of a report" -q -o again.json plain.json
same "... is the same" plain.json again.json
edited '/"n":/d' "\`n' is missing"
edited 's/"n": 2/"n": 0/' "\`n' is 0, and yet there are samples"
# 3 * 3 + 5 * 5 = 34
edited 's/"squares": "34"/"squares": "35"/' "\`squares' is not what the histogram says"
edited 's/"squares": "34"/"squares": "33"/' "\`squares' is not what the histogram says"
edited 's/"stddev": 1/"stddev": 2/' "\`stddev' is not what the samples say"
sed '/"LOAD": {/,$ { /"n":/d; }' plain.json >changed.json
status 2 "... and of LOAD" -q changed.json
says err "changed.json: C, LOAD: \`n' is missing"
sed '/"JIT": {/,/}/ { /"n": [0-9]*,/d; }' good.json >changed.json
status 2 "... and of JIT" -q changed.json
says err "JIT: \`n' is missing"
# 10^10 s are 10^19 ns, more than 63 bits hold, and so are all times with stamps as large as that
cat >huge.btf <<END
#timeScale us
1000000000000000007,C,0,T,T,0,start
1000000000000000009,C,0,T,T,0,terminate
1100000000000000009,C,0,T,T,1,start
2100000000000000008,C,0,T,T,1,terminate
END
"$program" -q -o huge.json huge.btf || exit 1
says huge.json '"max": 999999999999999999000,'
says huge.json '"window_from": 1000000000000000007000,'
status 0 "a report of what 64 bits do not hold" -q -o again.json huge.json
same "... is the same" huge.json again.json
status 0 "... and so is its trace to a comparison" -q --baseline huge.json huge.btf
sed 's/"max": 999999999999999999000,/"max": 999999990000000000000,/' huge.json >changed.json
status 2 "... and is checked" -q changed.json
says err "\`max' is not what the samples say"
head -c 2000 good.json >cut.json
status 2 "a baseline that was cut" -q --baseline cut.json good.xml
says err "cut.json:"
# limits from standard input, and from what has no end
printf '[T*]\nCET.max = 1ns\n' >bound.ini
status 1 "limits of a file" -q --limits bound.ini good.xml
cp err expected
"$program" -q --limits - good.xml <bound.ini 2>err
if [ $? -eq 1 ] && sed 's/standard input:/bound.ini:/' err | cmp -s - expected; then ok "... or of a stream"; else not_ok "... or of a stream" "$(cat err)"; fi
# 10^17 s are 6.6 * 10^42 ticks of 4 / 264550033 as, and 128 bits hold 1.7 * 10^38
printf '<CommonFormat Version="1.0"><SystemConfiguration><Resource ID="0" Scheduler="x"><SystemElement Name="T" ID="1" Type="task"/>
</Resource><EventIDMappings><EventIDMapping EventID="1" EventType="start"/><EventIDMapping EventID="3" EventType="end"/></EventIDMappings>
<TimeBase Unit="as"><Value Numerator="4" Denominator="264550033"/></TimeBase></SystemConfiguration><TraceData Start="0">
<TraceEntry Time="1" EventID="1" ReferenceID="1"/><TraceEntry Time="3" EventID="3" ReferenceID="1"/></TraceData></CommonFormat>' >fine.xml
printf '[T]\nCET.max = 100000000000000000 s\n' >huge.ini
status 2 "a bound that cannot be held" -q --limits huge.ini fine.xml
says err "huge.ini:2: the bound is too large for the time base of the trace"
printf '[T]\nCET.max = 1000000000000 s\n' >huge.ini
status 0 "... and one that can" --limits huge.ini fine.xml
# a tick of 4 / 264550033 as has 6.6 * 10^42 parts of 10^-17 in a second; with 18 decimals 3 ticks are beyond 2^61
sed 's/Time="3"/Time="3.000000000000000001"/' fine.xml >finer.xml
status 2 "a tick that is too fine for its decimals" -q finer.xml
says err "finer.xml: a tick of 4/264550033 as, in 100000000000000000 parts, is too fine: "
status 2 "limits without an end" -q --limits /dev/zero good.xml
says err "/dev/zero: too large for a file of limits"
cat good.json good.json >twice.json
status 2 "a baseline of two reports in a row" -q --baseline twice.json good.xml
says err "twice.json:$(($(wc -l <good.json) + 1)): there is something else behind the report"
printf '{\n"a": 1,\n"b" 2\n}' >broken.json
status 2 "JSON that is none" -q broken.json
says err "broken.json:3: malformed or truncated JSON"
printf '{ <?xml?>' >broken.xml
status 2 "a trace that begins like JSON" -q broken.xml
says err "broken.xml:1: no trace of a known format"

# T takes 10 us, 40 times, and then 20 us: no chance, and of LOAD nobody says what would be one
steps () {
  awk -v takes="$1" 'BEGIN { print "#version 2.2.0\n#timescale us"
    for (i = 0; i < 40; i++) print 100 * i ",C,0,T,T," i ",start\n" 100 * i + takes ",C,0,T,T," i ",terminate" }'
}
steps 10 >ten.btf
steps 20 >twenty.btf
status 1 "a change that is no chance" -q --baseline ten.btf twenty.btf
says err "T CET.max   20 us, was 10 us (+100 %); 100 % above the allowed 10 us"
says err "worst instance 0 at 0 s; no tolerance"
if grep -q "above the allowed.*; likely noise" err; then not_ok "... and is not called likely noise" "$(cat err)"; else ok "... and is not called likely noise"; fi
printf '[T]\nCET.max = 15 us\n[Nobody]\nCET.max = 1 us\n' >half.ini
status 1 "as many limits are broken as cannot be checked" -q --limits half.ini twenty.btf
says err "FAILED: 1 violated and 1 that could not be checked, of 2 limits"

# of ticks that nobody knows the length of
printf '%s\n' "<CommonFormat Version='1.0'><SystemConfiguration Name='S'><Resource ID='0'><SystemElement Name='T' ID='1' Type='task'/>" \
  "</Resource><EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>" \
  "</EventIDMappings></SystemConfiguration><TraceData Start='0'><TraceEntry Time='1' EventID='1' ReferenceID='1'/>" \
  "<TraceEntry Time='5' EventID='2' ReferenceID='1'/></TraceData></CommonFormat>" >ticks.xml
status 2 "a tolerance in seconds of a trace in ticks" -q --tolerance CET=1us --baseline ticks.xml ticks.xml
says err "--tolerance CET=1us: the trace does not say how long a tick is: give the tolerance in ticks or as a percentage"
status 0 "... and one in ticks" -q --tolerance CET=1ticks --baseline ticks.xml ticks.xml

# files of verdicts
status 1 "everything in one pass" -q --limits new.ini --baseline good.json --junit j.xml -o r.json -o r.csv -o r.txt bad.xml
says r.json '"verdict": "violated"'
says r.json '"comparison": ['
says r.txt "Changes since good.json"
if head -n 1 r.csv | grep -q '^input,section,'; then ok "CSV has the metrics"; else not_ok "CSV has the metrics"; fi
status 1 "CSV of verdicts" -q --limits new.ini --table verdicts -o v.csv bad.xml
says v.csv "violated,false,limit,task,Task_10ms,"
if [ "$(wc -l <v.csv)" -eq 11 ]; then ok "... a row for each limit"; else not_ok "... a row for each limit"; fi
status 0 "CSV of a comparison" -q --baseline good.json --table comparison -f csv good.xml
says out "task,Task_10ms,"
status 2 "a table that is not there" -q --table verdicts -f csv good.xml
says err "there is no table \`verdicts'; this report has metrics"
status 2 "a table where no CSV is written" -q --table metrics -o t.json good.xml
says err "--table is for CSV"
status 0 "a report with verdicts can be read" -q r.json

says j.xml "<testcase classname=\"limits.Task_10ms\" name=\"CET.max &lt;= 1.726452 ms\" time=\"0\">"
says j.xml "<failure type=\"violated\" message=\"1.7433 ms, not &lt;= 1.726452 ms: 0.98 % above\">"
if command -v xmllint >/dev/null 2>&1; then
  if xmllint --noout --schema "$TS_SRCDIR/data/junit.xsd" j.xml 2>err; then
    ok "the JUnit file is what its schema demands"
  else
    not_ok "the JUnit file is what its schema demands" "$(cat err)"
  fi
else
  n=$((n + 1))
  echo "ok $n - the JUnit file is what its schema demands # SKIP there is no xmllint"
fi
tests=$(grep -c '<testcase' j.xml)
failures=$(grep -c '<failure' j.xml)
says j.xml "tests=\"$tests\" failures=\"$failures\" errors=\"0\""

# in XML no control character may be, nor U+FFFE and U+FFFF; an end of line would become a blank
name=$(printf 'a\001b\177c\357\277\276d\357\277\277e<"&')
printf '#version 2.2.0\n#timescale us\n0,C,0,T,%s,0,start\n10,C,0,T,%s,0,terminate\n' "$name" "$name" >odd.btf
printf '[*]\nCET.max = 5us\n' >odd.ini
status 1 "names that XML cannot have" -q --limits odd.ini --junit odd.xml odd.btf
says odd.xml '<testcase classname="limits.a?b?c?d?e&lt;&quot;&amp;" name="CET.max &lt;= 5 us" time="0">'
says odd.xml '100 % above&#10;1 of 1 above; instance 0 at 0 s; odd.ini:2 [*]'

# T runs for 20 ticks of so many us
of_ticks () {
  cat <<END
<CommonFormat Version="1.0"><SystemConfiguration Name="S"><Resource ID="0" Scheduler="x">
<SystemElement Name="T" ID="1" Type="task">$2</SystemElement></Resource>
<EventIDMappings><EventIDMapping EventID="1" EventType="start"/><EventIDMapping EventID="2" EventType="end"/></EventIDMappings>
<TimeBase Unit="us"><Value Numerator="$1" Denominator="1"/></TimeBase></SystemConfiguration>
<TraceData Start="0" Stop="1000"><TraceEntry Time="10" EventID="1" ReferenceID="1"/>
<TraceEntry Time="30" EventID="2" ReferenceID="1"/></TraceData></CommonFormat>
END
}
of_ticks 1 '' >one.xml
of_ticks 2 '' >two.xml
of_ticks 1 '<Annotation><Name>CETmax</Name><Value>many</Value></Annotation>' >many.xml
of_ticks 1 '<Annotation><Name>CETmax</Name></Annotation>' >none.xml
printf '[T]\nCET.max = 20 ticks\n' >ticks.ini
printf '[tolerance]\nCET.max = 5%%\n' >tolerance.ini
status 0 "a limit in ticks" -q --limits ticks.ini one.xml
status 2 "in ticks that are not the same everywhere" -q --limits ticks.ini one.xml two.xml
says err "ticks.ini:2: a tick is not the same in all traces: give the bound in a unit of time"
status 2 "an annotation that is no number" -q --limits annotations many.xml
says err "many.xml: annotation CETmax of T: \`many' is not a number of at most 18 digits"
status 2 "... or nothing at all" -q --limits annotations none.xml
says err "none.xml: annotation CETmax of T: \`' is not a number of at most 18 digits"
printf '[T]\nRT.max = 1 ms\nCET.max = 20 ticks\noptional = true\n[*]\nIPT.max = 1 ms\noptional = true\n' >optional.ini
status 0 "optional limits without samples" --limits optional.ini one.xml
says out "PASSED: 3 limits, all hold (2 optional ones have no samples)"
sed '/CET/d' optional.ini >idle.ini
status 0 "... and no others" --limits idle.ini one.xml
says out "PASSED, but nothing was checked (2 optional ones have no samples)"
status 2 "tolerances are no limits" -q --limits tolerance.ini one.xml
says err "tolerance.ini:2: there is no limit to check"

# T begins once more before it ends: what was open has lost its end
sed 's,</TraceData>,<TraceEntry Time="40" EventID="1" ReferenceID="1"/><TraceEntry Time="50" EventID="1" ReferenceID="1"/>\
<TraceEntry Time="60" EventID="2" ReferenceID="1"/></TraceData>,' one.xml >defective.xml
status 0 "a defective trace keeps its limits" -q --limits ticks.ini --junit strict.xml defective.xml
says strict.xml 'tests="1" failures="0"'
status 1 "but for --strict" -q --strict --limits ticks.ini --junit strict.xml defective.xml
says err "tracestat: defective.xml:6: an instance never ended, though something else shows that it was over (T) (1x, missing-end); "
says err "tracestat: defective.xml: the trace is defective, and --strict was given"
says strict.xml 'tests="2" failures="1"'
says strict.xml '<testcase classname="strict" name="no defects" time="0">'
says strict.xml '<failure type="defective" message="the trace is defective">defective.xml:6: an instance never ended, though'
status 0 "... if that defect is not allowed" -q --strict --allow missing-end --limits ticks.ini --junit strict.xml defective.xml
says strict.xml 'tests="2" failures="0"'
says strict.xml '<testcase classname="strict" name="no defects" time="0"/>'
cp one.xml copy.xml
status 0 "of several traces that is said once" -q --strict --limits ticks.ini --junit strict.xml one.xml copy.xml
says strict.xml '<testsuite name="all traces" tests="1" failures="0"'

# the verdict on standard error looks as on standard output
printf '[T]\nCET.max = 19 ticks\n' >dull.ini
status 1 "a verdict in colour" -q --color always --limits dull.ini one.xml
if grep -q "$(printf '\033')\[" err; then ok "... is in colour"; else not_ok "... is in colour" "$(cat err)"; fi
status 1 "... and in none" -q --limits dull.ini one.xml
if grep -q "$(printf '\033')\[" err; then not_ok "... has none" "$(cat err)"; else ok "... has none"; fi

# what is misspelt, or meant otherwise
printf '[ T ]\nCET.max = 20 ticks\n[task:T]\nCET.max = 20 ticks\n' >blanks.ini
status 1 "blanks in a section" --limits blanks.ini one.xml
says out "  [ T ]  matches no element: blanks are part of a name"
printf '[U]\nCET.max = 20 ticks\n' >blanks.ini
status 1 "... or none" --limits blanks.ini one.xml
says out "  [U]  matches no element
"
"$program" -q -o one.json one.xml
status 0 "a trace compared with itself" --baseline one.xml one.xml
says err "tracestat: warning: one.xml: this file is compared with itself"
status 0 "... or with its report" --baseline one.json one.xml
if [ -s err ]; then not_ok "... is no warning" "$(cat err)"; else ok "... is no warning"; fi
for option in '--limits - --baseline -' '--limits -' '--baseline -'; do
  trace=-
  [ "$option" != '--limits - --baseline -' ] || trace=one.xml
  # shellcheck disable=SC2086 # words
  status 2 "$option $trace" $option $trace
  says err "tracestat: standard input is asked for more than once"
done

# T001 to T102 run for so many us, where none are allowed, and as many sections match nothing: of either list the first hundred are shown,
# of the former the longest ones, which leaves out T002 and T001
awk 'BEGIN {
  print "#version 2.2.0\n#timescale us"
  for (k = 1; k <= 102; k++)
    printf "%d,C,0,T,T%03d,0,start\n%d,C,0,T,T%03d,0,terminate\n", 1000 * k, k, 1000 * k + k, k
}' >many.btf
awk 'BEGIN {
  print "[T*]\nCET.max = 0 us"
  for (k = 1; k <= 102; k++)
    printf "[None%03d]\nCET.max = 1 us\n", k
}' >many.ini
status 1 "of very many violations" --limits many.ini --junit many.xml many.btf
grep -o '^  T[0-9]* CET.max' out >shown
awk 'BEGIN { for (k = 102; k >= 3; k--) printf "  T%03d CET.max\n", k }' >expected
same "... the worst are shown" expected shown
grep -o '^  \[None[0-9]*' out >shown
awk 'BEGIN { for (k = 1; k <= 100; k++) printf "  [None%03d\n", k }' >expected
same "... and as many that could not be checked" expected shown
says out 'Not shown: 2 more of these. All are in -f csv --table verdicts.'
says out 'FAILED: 102 violated and 102 that could not be checked, of 204 limits'
says many.xml 'tests="204" failures="204"'
status 1 "... and CSV has all" --limits many.ini -f csv --table verdicts many.btf
if [ "$(grep -c violated out)" -eq 102 ]; then ok "... that are violated"; else not_ok "... that are violated" "$(cat out)"; fi

# Of a report A has a histogram, in which 1,000 and 1,003 us are in one bucket: whether the 99th percentile, which is the
# latter, is beyond 1,001 us cannot be told. That is no pass, but B is 5 % above, and comes first.
awk 'BEGIN {
  print "#version 2.2.0\n#timescale us"
  for (k = 0; k < 3000; k++) {
    t = 3000 * k
    printf "%d,C,0,T,A,%d,start\n%d,C,0,T,A,%d,terminate\n", t, k, t + (k % 2 ? 1003 : 1000), k
    printf "%d,C,0,T,B,%d,start\n%d,C,0,T,B,%d,terminate\n", t + 2000, k, t + 2105, k
  }
}' >near.btf
printf '[A]\nCET.p99 = 1001 us\n[B]\nCET.max = 100 us\n' >near.ini
status 0 "a report with histograms" -q -o near.json near.btf
status 1 "what may be violated" --limits near.ini near.json
grep -o '^  [AB] CET[.a-z0-9]*' out >shown
printf '  B CET.max\n  A CET.p99\n' >expected
same "... stands behind what is" expected shown
says out 'so near to the'

echo "1..$n"
