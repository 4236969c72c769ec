#!/bin/sh
# SPDX-License-Identifier: MIT
# Values of options are UTF-8 in any locale, as names in traces are: C, which scripts and build servers set, knows no ü.
# shellcheck disable=SC1091 # beside this file
. "$TS_SRCDIR/tests/gate-fixture.sh"

# Bühne runs for 20 us and for 30, 100 apart; b only for 5
cat >trace.btf <<'END'
#version 2.2.0
#timeScale us
0,S,0,T,Bühne,0,activate
10,C,0,T,Bühne,0,start
30,C,0,T,Bühne,0,terminate
40,S,0,T,b,0,activate
40,C,0,T,b,0,start
45,C,0,T,b,0,terminate
100,S,0,T,Bühne,1,activate
110,C,0,T,Bühne,1,start
140,C,0,T,Bühne,1,terminate
END
# two claims, of 5 us and of 7
cat >trace.etf <<'END'
TU MICROSECONDS
R 0 1 false ; name=cpu
C 0 0 5 0 1 ; name=x, Gerät=Bühne
C 1 10 17 0 1 ; name=x, Gerät=Säge
END

# rows EXPECTED COLUMNS: these columns of out, behind its header, in lines with a blank between them
rows () {
  got=$(sed 1d out | cut -d, -f "$2" | tr ',\n' '; ')
  if [ "$got" = "$1 " ]; then ok "... tells $1"; else not_ok "... tells $1" "$(cat out)"; fi
}

C_UTF8=$(locale -a 2>/dev/null | grep -ixE 'C\.utf-?8' | head -n 1)
for LC_ALL in C "${C_UTF8:-C}"; do
  status 0 "a filter, locale $LC_ALL" -q -f csv -u us -m CET --element '*ühn?' trace.btf
  rows "Bühne;CET;2;20;25;30" 5,8,10-13
  if [ -s err ]; then not_ok "... without a word" "$(cat err)"; else ok "... without a word"; fi
  status 0 "an idle task" -q -f csv -m CET --idle Bühne trace.btf
  rows "Bühne;0 b;1" 5,10
  # DT is 100 us, so jitter is 1 - 100 / 80
  status 0 "a period" -q -f csv -m JIT -e Bühne --period=Bühne=80us trace.btf
  rows "-0.25;configured;80000" 11,26,27
  status 0 "an attribute that names elements" -q -f csv -u us -m CET --element-key Gerät trace.etf
  rows "Bühne;1;5 Säge;1;7" 5,10,11
  status 2 "an option that has no such value" --unit ü trace.btf
  says err "\`ü' is not a unit"
done

# \374 is a ü in Latin 1
latin=$(printf 'B\374hne')
for LC_ALL in C "${C_UTF8:-C}"; do
  for option in element type metric percentiles idle period format unit element-key tolerance margin jobs list; do
    status 2 "no UTF-8: --$option, locale $LC_ALL" "--$option" "$latin" trace.btf
    says err "--$option B�hne: this is not UTF-8"
  done
  status 2 "... the second of them" -e b -e "$latin" trace.btf
  says err "--element B�hne: this is not UTF-8"
done
# names of files are bytes
cp trace.btf "$latin.btf"
status 0 "a file whose name is not UTF-8" -q -f csv -m CET -e b "$latin.btf"

# names in other encodings are taken as Latin 1, where \344 is ä and \366 is ö: so names that differ still do. One that begins
# in UTF-8 is taken so as a whole: \303\274, which is ü, is Ã¼
printf '#version 2.2.0\n#timescale us\n0,C\366re,0,T,T\344sk,0,start\n5,C\366re,0,T,T\344sk,0,terminate
6,C\366re,0,T,T\366sk,0,start\n8,C\366re,0,T,T\366sk,0,terminate\n9,C\366re,0,T,\303\274\344,0,start
19,C\366re,0,T,\303\274\344,0,terminate\n' >latin.btf
printf 'TU MICROSECONDS\nR 0 1 false ; name=C\366re\nC 0 0 5 0 1 ; name=T\344sk\nC 1 6 8 0 1 ; name=T\366sk
C 2 9 19 0 1 ; name=\303\274\344\n' >latin.etf
for format in btf etf; do
  status 0 "names in Latin 1, $format" -q -f csv -u us -m CET "latin.$format"
  rows "Cöre;Täsk;1;5 Cöre;Tösk;1;2 Cöre;Ã¼ä;1;10" 3,5,10,11
  status 0 "... of which one is chosen" -q -f csv -u us -m CET -e Täsk "latin.$format"
  rows "Täsk;1;5" 5,10,11
  status 0 "... and that is told" "latin.$format"
  says out "note     4  no-utf-8: a name is not in UTF-8; it was taken as Latin 1"
done
says out "first at latin.etf:2: Cöre"
# resources are what they are called in each format
says out "latin.etf: etf, 1 resource, 3 elements, "
printf '1\n0 5 0 0 0 0\n2 6 0 0 0 0\n' >agents.vis
status 0 "a parallel program" agents.vis
says out "agents.vis: visandor, 1 agent, 1 element, "
status 0 "cores" latin.btf
says out "latin.btf: btf, 1 core, 3 elements, "
# where lines are late and the trace is read again it is told once
{
  sed 3,4d latin.btf
  sed -n 3,4p latin.btf
} >late.btf
status 0 "... once, however often a trace is read" late.btf
says out "defect   1  time-backwards"
says out "note     4  no-utf-8: "

echo "1..$n"
