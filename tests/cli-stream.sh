#!/bin/sh
# SPDX-License-Identifier: MIT
# A stream of more than 4 MiB can be read only once, but its head is known before: what has
# to be known from the first event on is found there.
# shellcheck disable=SC2002 # a pipe is the point
set -u
LC_ALL=C
export LC_ALL

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
tracestat=$TS_BUILDDIR/tracestat
cd "$folder" || exit 1

# trace ORDER LAST [OVERHEAD]: 40000 instances of 2.5 ms, 10 ms apart, in ticks of 1 s. ORDER is that of system (s)
# and data (d); LAST is the very last stamp; OVERHEAD is in ns.
trace ()
{
  awk -v order="$1" -v last="$2" -v overhead="${3-}" '
    function put_system ()
    {
      print "<SystemConfiguration><Name>S</Name><Resource Name=\"R\" ID=\"1\">"
      print "<SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/></Resource><EventIDMappings>"
      print "<EventIDMapping EventID=\"1\" EventType=\"start\"/><EventIDMapping EventID=\"2\" EventType=\"end\"/>"
      print "</EventIDMappings><TimeBase Unit=\"s\"><Fraction Numerator=\"1\" Denominator=\"1\"/></TimeBase>"
      print "</SystemConfiguration>"
    }
    function put_data (  i)
    {
      print "<TraceData Start=\"0\">"
      if (overhead != "")
        printf "<TracingOverhead OverheadType=\"total overhead\" Unit=\"ns\"><Value Numerator=\"%s\" Denominator=\"1\"/></TracingOverhead>\n", overhead
      for (i = 1; i <= 40000; i++)
        {
          printf "<TraceEntry Time=\"%.6f\" EventID=\"1\" ReferenceID=\"1\"/>\n", i / 100
          printf "<TraceEntry Time=\"%s\" EventID=\"2\" ReferenceID=\"1\"/>\n", i == 40000 ? last : sprintf("%.6f", i / 100 + 0.0025)
        }
      print "</TraceData>"
    }
    BEGIN {
      print "<?xml version=\"1.0\"?>"
      print "<CommonFormat Version=\"1.0\">"
      if (order == "sd") put_system()
      if (order == "twice")
        {
          print "<TraceData Start=\"0\"><TraceEntry Time=\"0.001\" EventID=\"1\" ReferenceID=\"1\"/>"
          print "<TraceEntry Time=\"0.0035\" EventID=\"2\" ReferenceID=\"1\"/></TraceData>"
          put_system()
        }
      put_data()
      if (order == "ds") put_system()
      print "</CommonFormat>"
    }'
}

btf ()
{
  awk 'BEGIN {
    print "#version 2.1.4"; print "#timeScale us"
    for (i = 1; i <= 60000; i++)
      {
        if (i == 1000) { print "#timeScale ns"; f = 1000 } else if (i == 1) f = 1
        printf "%.0f,C,0,T,task_of_a_long_name,%d,start,\n", i * 100 * f, i
        printf "%.0f,C,0,T,task_of_a_long_name,%d,terminate,\n", i * 100 * f + 25 * f + (i > 1000), i
      }
  }'
}

# slices FORMAT: A runs from 0 to 4, from 10 to 14, and so on, in ms. But in vis: not from 5 to 8, 13 to 16, ... us.
slices ()
{
  awk -v format="$1" 'BEGIN {
    if (format == "btf") print "#version 2.1.4\n#timeScale ms"
    if (format == "etf") print "TU MILLISECONDS\nR 0 1 false ; name=C"
    if (format == "vis") print "1\n0 5 0 0 0 0"
    if (format == "xml")
      {
        print "<CommonFormat Version=\"1.0\"><SystemConfiguration Name=\"S\"><Resource Name=\"C\" ID=\"1\">"
        print "<SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/></Resource><EventIDMappings>"
        print "<EventIDMapping EventID=\"1\" EventType=\"start\"/><EventIDMapping EventID=\"2\" EventType=\"end\"/>"
        print "</EventIDMappings><TimeBase Unit=\"ms\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>"
        print "</SystemConfiguration><TraceData Start=\"0\">"
      }
    for (i = 0; i < 120000; i++)
      {
        t = 10 * i
        if (format == "btf") printf "%d,C,0,T,A,%d,start\n%d,C,0,T,A,%d,terminate\n", t, i, t + 4, i
        if (format == "etf") printf "C %d %d %d 0 1 ; name=A, from=the beginning\n", i, t, t + 4
        if (format == "vis") printf "%d 20 %x 1 0 0\n%d 21 %x 0 0 0\n", 8 * i + 5, i + 1, 8 * i + 8, i + 1
        if (format == "xml")
          printf "<TraceEntry Time=\"%d\" EventID=\"1\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%d\" EventID=\"2\" ReferenceID=\"1\"/>\n", t, t + 4
      }
    if (format == "vis") print 8 * i + 5, "6 0 0 0 0"
    if (format == "xml") print "</TraceData></CommonFormat>"
  }'
}

n=0
check () # NAME CONDITION...
{
  name=$1
  shift
  n=$((n + 1))
  if "$@"; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    head -n 4 errors file pipe 2>/dev/null | sed 's/^/# /'
  fi
}

# both TRACE OPTION...: the same table, but for the names of the inputs
both ()
{
  trace=$1
  shift
  "$tracestat" -q -f csv "$@" "$trace" >file.csv 2>errors && cat "$trace" | "$tracestat" -q --strict -f csv "$@" - >pipe.csv 2>>errors || return 1
  sed 's/^[^,]*,//' file.csv >file
  sed 's/^[^,]*,//' pipe.csv >pipe
  [ "$(wc -l <file)" -gt 1 ] && cmp -s file pipe
}

trace sd 400.0025 >trace.xml
check "the trace is longer than what is kept" [ "$(wc -c <trace.xml)" -gt 4718592 ]
check "a pipe gives the numbers of the file" both trace.xml -u ms
check "they are right" grep -q ",CET,ms,40000,2\.5,2\.5,2\.5,0," pipe
check "in each section" both trace.xml --per-section
check "without the quick reader" both trace.xml --no-scanner
check "sorted as a whole" both trace.xml --sort

gzip -c trace.xml >trace.xml.gz
check "a compressed pipe, too" both trace.xml.gz -u ms

# names that are not ASCII, and units of two bytes
if command -v iconv >/dev/null; then
  sed "s/Name=\"A\"/Name=\"$(printf '\303\204\360\237\230\200')\"/" trace.xml >named.xml
  both named.xml -u ms && cp file named
  for order in LE BE; do
    if [ $order = LE ]; then printf '\377\376'; else printf '\376\377'; fi >wide.xml
    iconv -f UTF-8 -t UTF-16$order named.xml >>wide.xml
    check "UTF-16$order has a report" both wide.xml -u ms
    check "which is that of UTF-8" cmp -s named file
    check "and of UTF-16$order without the quick reader" both wide.xml -u ms --no-scanner
    check "as well" cmp -s named file
    gzip -c wide.xml >wide.xml.gz
    check "and of UTF-16$order in a compressed pipe" both wide.xml.gz -u ms
    check "too" cmp -s named file
  done
  rm -f wide.xml wide.xml.gz named.xml
else
  echo "# no iconv is installed"
fi

# a finer stamp behind the head
trace sd 400.00245 >late.xml
trace sd 400.0024 >even.xml
cat late.xml | "$tracestat" -q -u ms -f csv - 2>errors | sed 's/^[^,]*,//' >rounded
"$tracestat" -q -u ms -f csv even.xml | sed 's/^[^,]*,//' >file
check "a finer stamp behind the head is rounded half-even" cmp -s file rounded
cat late.xml | "$tracestat" -q -f json - >report.json 2>errors
check "and counted" sh -c 'tr -d " \n" <report.json | grep -q "\"rounded-time\"[^}]*\"count\":1[,}]"'
cat late.xml | "$tracestat" -q --strict -f csv - >/dev/null 2>errors
check "which --strict refuses" [ $? = 1 ]
"$tracestat" -q --strict -f csv late.xml >/dev/null 2>errors
check "but not of a file" [ $? = 0 ]

# one of a binary fraction in the head: beside what comes behind there is no room for all of its decimals
trace sd 400.0025 >even.xml
sed 's/Time="0.010000"/Time="0.01000000000000002"/' even.xml >fine.xml
"$tracestat" -q -u ms -f csv even.xml | sed 's/^[^,]*,//' >file
"$tracestat" -q -u ms -f csv fine.xml 2>errors | sed 's/^[^,]*,//' >rounded
check "decimals that no unit has room for are rounded" cmp -s file rounded
sed 's/Time="399.990000"/Time="9000.0"/; s/Time="399.992500"/Time="9000.0025"/; /Time="400/d' fine.xml >far.xml
sed 's/0.01000000000000002/0.01/' far.xml | "$tracestat" -q -u ms -f csv - | sed 's/^[^,]*,//' >file
cat far.xml | "$tracestat" -q -u ms -f csv - 2>errors | sed 's/^[^,]*,//' >rounded
check "of a stream, too, however much later its end is" cmp -s file rounded
cat far.xml | "$tracestat" -q -f json - >report.json 2>errors
check "which is told" sh -c 'tr -d " \n" <report.json | grep -q "\"rounded-time\"[^}]*\"count\":1[,}]"'

trace sd 400.0025 1001 >overhead.xml
check "overheads have their scale" both overhead.xml --subtract-overhead

trace twice 400.0025 >twice.xml
check "a system after the first data, but within the head" both twice.xml
trace ds 400.0025 >system.xml
cat system.xml | "$tracestat" -q -f csv - >/dev/null 2>errors
check "a system behind the head is an error" [ $? = 2 ]
check "that says so" grep -q "cannot be read twice" errors

# what is wrong in the head is told once, and with its line
sed '100s/.*/<TraceEntry Time="x" EventID="1" ReferenceID="1">/' trace.xml >broken.xml
"$tracestat" -q broken.xml 2>&1 >/dev/null | sed 's/^.*xml:/:/' >file
cat broken.xml | "$tracestat" -q - 2>&1 >/dev/null | sed 's/^.*input:/:/' >pipe
check "errors are those of the file" sh -c '[ -s file ] && cmp -s file pipe'

btf >trace.btf
check "a BTF trace is longer than what is kept" [ "$(wc -c <trace.btf)" -gt 4718592 ]
check "a finer time scale in its head" both trace.btf
# where a window asks for units of 10^-24 s, 1 s is beyond any limit
printf '#timeScale ps\n0,C,0,T,A,0,start\n#timeScale s\n1,C,0,T,A,0,terminate\n' >coarse.btf
"$tracestat" -q --from 0.000000000001ps coarse.btf >/dev/null 2>errors
check "a coarser time scale beyond the units of a window is an error" [ $? = 2 ]
check "... that says where" grep -q 'coarse.btf:4: the time 1 is beyond' errors
# late_task BEFORE AFTER: T runs R since the beginning; that it is a task shows its first event, with so many instances of
# another one before it and behind.
late_task ()
{
  awk -v before="$1" -v after="$2" '
    function put_others (n)
    {
      for (; n > 0; n--)
        {
          printf "%d,C2,0,T,task_of_a_long_name,%d,start,\n%d,C2,0,T,task_of_a_long_name,%d,terminate,\n", t, ++k, t + 3, k
          t += 10
        }
    }
    BEGIN {
      print "#version 2.1.4\n#timeScale ns\n10,T,0,R,R,0,start"
      t = 50
      put_others(before)
      printf "%d,C1,0,T,T,0,preempt\n%d,C1,0,T,T,0,resume\n%d,T,0,R,R,0,terminate\n", t, t + 5, t + 7
      t += 10
      put_others(after)
    }'
}

late_task 1000 59000 >task.btf
check "a BTF trace with a task is longer than what is kept" [ "$(wc -c <task.btf)" -gt 4194304 ]
check "a task that shows itself in its head" both task.btf
late_task 59000 1000 >task.btf
"$tracestat" -q --strict -f json task.btf >report.json 2>errors
check "a task that shows itself behind the head of a file" [ $? = 0 ]
check "is no finding" sh -c '! grep -q known-late report.json'
cat task.btf | "$tracestat" -q -f json - >report.json 2>errors
# line 4 + 2 * 59000
check "but one of a stream, with its line and the task" \
  sh -c 'tr -d " \n" <report.json | grep -q "\"known-late\"[^}]*\"count\":1,[^}]*\"line\":118004,\"detail\":\"Thad"'
cat task.btf | "$tracestat" -q --strict -f csv - >/dev/null 2>errors
check "which --strict refuses" [ $? = 1 ]

# the ends of the window fall between stamps: A runs 1.5 and 3 of 10.5 ms
for format in xml btf etf; do
  slices $format >slices.$format
  check "$format: a trace with slices is longer than what is kept" [ "$(wc -c <slices.$format)" -gt 4194304 ]
  check "$format: a window between stamps" both slices.$format -m LOAD -u us --from 2500us --to 13
  check "$format: LOAD is clipped just there" grep -q ",LOAD,ratio,1,0\.428571428571429,.*,4\.5,,10500$" pipe
done
# the agent runs 5 and 0.5 of 8.5 us
slices vis >slices.vis
check "vis: a trace with slices is longer than what is kept" [ "$(wc -c <slices.vis)" -gt 4194304 ]
check "vis: a window between stamps" both slices.vis -m LOAD -u ns --to 8500ns --strict --allow assumed-time-unit
check "vis: LOAD is clipped just there" grep -q ",LOAD,ratio,1,0\.647058823529412,.*,5\.5,,8500$" pipe

# an end of the window that no unit of time is fine enough for: from a file, too
"$tracestat" -q -f json --to 12.0000000000000001ms slices.xml >report.json 2>errors
check "an end of the window that cannot be kept is told" \
  sh -c 'tr -d " \n" <report.json | grep -q "\"rounded-window\"[^}]*\"count\":1,"'
# of TRACE, whose last stamp leaves no room for finer units
printf 'TU MICROSECONDS\nR 0 1 false;name=c\nC 0 0 5 0 1;name=A\nC 1 10 1000000000000 0 1;name=A\n' >far.etf
"$tracestat" -q -f json --to 12.0000001us far.etf >report.json 2>errors
check "whatever it is that leaves no finer unit" grep -q '"rounded-window"' report.json
"$tracestat" -q -f json --to 12.000000001ms slices.xml >report.json 2>errors
check "one that can is not" sh -c '! grep -q rounded-window report.json'

# branches WHAT: forks of two branches, of which one splits into a fork that is cut before it starts (cut); or succeeds, and
# the other splits into the next fork, and has an end of its own behind all of these (split)
branches ()
{
  awk -v what="$1" 'BEGIN {
    print "1\n0 5 0 0 0 0\n1 20 1 1 0 0\n2 21 1 0 0 0"
    n = 60000
    t = 2
    for (i = 2; i <= n; i++)
      {
        t += 6
        printf "%d 20 %x 2 0 0\n", t, i
        printf "%d 21 %x 0 1 1\n", t + 1, i
        if (what == "cut") printf "%d 20 F%x 1 1 1\n%d 26 F%x 0 1 1\n", t + 2, i, t + 3, i
        else printf "%d 22 %x 0 1 1\n", t + 2, i
        printf "%d 21 %x 1 0 0\n", t + 4, i
      }
    printf "%d 22 %x 1 0 0\n", t += 6, --i
    while (what == "split" && --i > 1)
      printf "%d 22 %x 1 0 0\n", t += 6, i
    print t + 6, "6 0 0 0 0"
  }'
}

for what in cut split; do
  branches $what >$what.vis
  check "branches that $what are longer than what is kept" [ "$(wc -c <$what.vis)" -gt 4194304 ]
  "$tracestat" -q -f json $what.vis >report.json 2>errors
  check "of a file all is known" sh -c '! grep -q known-late report.json'
  cat $what.vis | "$tracestat" -q -f json --instances instances.csv - >report.json 2>errors
  check "but not of a stream" grep -q '"known-late"' report.json
done
cat cut.vis | "$tracestat" -q -f json - >report.json 2>errors
check "that is of those which are shown one by one: a report need not know it before" \
  sh -c '! grep -q known-late report.json'
"$tracestat" -q -f csv cut.vis | sed 's/^[^,]*//' >file.csv
cat cut.vis | "$tracestat" -q -f csv - | sed 's/^[^,]*//' >stream.csv
check "and has the same numbers" sh -c 'cmp file.csv stream.csv && grep -q ",PER," stream.csv'
echo "1..$n"
