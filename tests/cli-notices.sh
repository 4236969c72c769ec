#!/bin/sh
# SPDX-License-Identifier: MIT
# Warnings about a command line that turns out to mean nothing, or hardly what was meant, once the traces are read.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

engine=$TS_SRCDIR/data/engine.atf.xml # from 1 to 1.18 s, in ticks of 100 ns: tasks, ISRs and runnables on the cores 5 and 12

# warns TEXT ARGUMENT...: that one warning, and status 0
warns () {
  warning=$1
  shift
  "$program" "$@" >out 2>err
  got=$?
  if [ "$got" -eq 0 ] && [ "$(cat err)" = "tracestat: warning: $warning" ]; then
    ok "a warning: $*"
  else
    not_ok "a warning: $*" "status $got: $(cat err)"
  fi
}

# silent ARGUMENT...: none
silent () {
  "$program" "$@" >out 2>err
  got=$?
  if [ "$got" -eq 0 ] && [ ! -s err ]; then ok "no warning: $*"; else not_ok "no warning: $*" "status $got: $(cat err)"; fi
}

warns "--element nobody: nothing in the trace has this name" -e nobody "$engine"
warns "--type message: nothing in the trace is of this type" -t message "$engine"
silent -t task,message "$engine"
warns "nothing in the trace fits all of --element, --type and --metric" -t task -m LOAD "$engine"
warns "nothing in the trace fits all of --element, --type and --metric" -e Task_1ms -m LOAD "$engine"
warns "nothing in the trace fits all of --element, --type and --metric" -e 12 -m RT "$engine"
warns "nothing in the trace fits all of --element, --type and --metric" -e Task_1ms -t isr "$engine"
silent -e 12 -m LOAD,RT "$engine"
silent -e Task_1ms -m RT,LOAD "$engine"
silent -e Task_1ms -e nobody -q "$engine"

unranked="--rank changes nothing: neither the summary nor CSV with metrics is written"
warns "$unranked" --rank RT.max -o ranked.json "$engine"
warns "$unranked" --rank RT.max --instances ranked.csv -o ranked.json "$engine"
silent --rank RT.max -o ranked.json -o ranked.csv "$engine"
silent --rank RT.max -o ranked.json -o ranked.txt "$engine"
silent --rank RT.max "$engine"
warns "--rank AGE.max: nothing that is shown has a sample of it" --rank AGE.max "$engine"

warns "--from 1.05 ticks leaves out nothing of the trace" --from 1.05 "$engine"
warns "--from 1 s leaves out nothing of the trace" --from 1s "$engine"
silent --from 0 "$engine"
silent --from 1.05s "$engine"
silent --from 1050ms --to 1.1s "$engine"
warns "--to 1.18 s leaves out nothing of the trace" --to 1.18s "$engine"
silent --to 1.1799s "$engine"
# what is at the end of the window is not in it: the start at 30 us, and with it DT
printf '#version 2.2.0\n#timescale us\n10,C,0,T,A,0,start\n20,C,0,T,A,0,terminate\n30,C,0,T,A,1,start\n' >last.btf
silent --to 30us last.btf
warns "--to 31 us leaves out nothing of the trace" --to 31us last.btf

# a file is the same by any name; a stream and what is in it are not known to be
warns "$engine: this file is given more than once, and counts as often" "$engine" "$engine"
ln -s "$engine" link.xml
warns "link.xml: this file is given more than once, and counts as often" "$engine" link.xml
cp "$engine" copy.xml
silent "$engine" copy.xml
# "-" is no file of that name
cp "$engine" ./-
silent - ./- <copy.xml

# 2,049 values of CET are one too many to be kept
awk 'BEGIN { print "#version 2.2.0\n#timescale us"
  for (i = 0; i < 2049; i++) print 10 * i ",C,0,T,A," i ",start\n" 10 * i + 4 ",C,0,T,A," i ",terminate" }' >many.btf
sed '$d' many.btf | sed '$d' >few.btf
off='percentiles of more than 2,048 samples are off by at most 0.4 %; --exact-percentiles keeps all samples'
warns "$off" -m CET -f csv many.btf
warns "${off%%;*}, those of JIT by 0.4 % of DT / P;${off#*;}" -f csv many.btf
warns "$off" -m CET -o many.csv many.btf
silent -m CET -f csv few.btf
silent -m CET -f csv --exact-percentiles many.btf
silent -m CET -f csv -p '' many.btf
silent -q -m CET -f csv many.btf
silent -m CET -f json many.btf
silent -m LOAD -f csv many.btf
warns "--allow partial-head: that is a note, which --strict lets pass" --strict --allow overlap,partial-head "$engine"
warns "--allow no-time-base: that is a warning, which --strict lets pass" --strict --allow no-time-base "$engine"
silent --strict --allow overlap "$engine"

# a page says it where it shows them
silent -m CET many.btf
says out "Percentiles of more than 2,048 samples come from a histogram, and are off by at most 0.4 %."
silent -m CET,JIT many.btf
says out "off by at most 0.4 %, those of"
for arguments in "-m CET,GET,DT,JIT" "-m LOAD" "-m CET --exact-percentiles" "-u us"; do
  # shellcheck disable=SC2086 # words
  "$program" $arguments many.btf >out 2>&1
  if grep -q Percentiles out; then not_ok "no word on percentiles: $arguments"; else ok "no word on percentiles: $arguments"; fi
done

echo "1..$n"
