#!/bin/sh
# SPDX-License-Identifier: MIT
# What the documents say is what the program does: manual pages, --help, README, completion.
# TS_UPDATE=1 writes today's output into README.md (in the source tree) before it is compared.
set -u
LC_ALL=C
export LC_ALL

program=$TS_BUILDDIR/tracestat
pages="$TS_BUILDDIR/man/tracestat.1 $TS_SRCDIR/man/tracestat-metrics.7 $TS_SRCDIR/man/tracestat-formats.5 $TS_SRCDIR/man/tracestat-limits.5"
manual=$TS_BUILDDIR/man/tracestat.1
readme=$TS_SRCDIR/README.md

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck source=tests/tap.sh
. "$TS_SRCDIR/tests/tap.sh"

# nothing MESSAGE DETAILS: passes if there are no details
nothing () {
  if [ -z "$2" ]; then ok "$1"; else not_ok "$1" "$2"; fi
}

has () {
  command -v "$1" >/dev/null 2>&1
}

# The folder in which the commands of the documents run.
mkdir "$work/bin" "$work/build" "$work/data"
for name in "$work/bin/tracestat" "$work/build/tracestat"; do
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"$name"
  chmod +x "$name"
done
cp "$TS_SRCDIR/data/engine.atf.xml" "$work/engine.atf.xml"
cp "$TS_SRCDIR/data/engine.atf.xml" "$TS_SRCDIR/data/limits.ini" "$work/data"
chmod u+w "$work/engine.atf.xml" "$work/data/engine.atf.xml"
gzip -kn "$work/engine.atf.xml"

PATH=$work/bin:$PATH
export PATH

# run COMMAND: as a user would type it in that folder
run () {
  (cd "$work" && sh -c "$1" </dev/null)
}

# Options, one a line, of the text of --help and of the first manual page.
help_options () {
  "$program" --help | sed -n 's/^  //p' | grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u
}

# Only the items of lists: .It Fl o , -output Ar file
manual_options () {
  sed -n 's/^\.It Fl //p' "$manual" | sed 's/ , Fl / , /g' | awk '
    {
      for (i = 1; i <= NF; i++)
        if ($i ~ /^-[a-z]/ || ($i ~ /^[a-z]$/ && (i == 1 || $(i - 1) == ",")))
          print "-" $i
    }' | sort -u
}

# Manual pages
if has mandoc; then
  # shellcheck disable=SC2086 # three words
  nothing "the manual pages are clean" "$(mandoc -Tlint -W warning $pages 2>&1)"
  for page in $pages; do
    text=$(mandoc -Tascii "$page" 2>&1) && [ -n "$text" ]
    case $? in
      0) ok "${page##*/} can be formatted" ;;
      *) not_ok "${page##*/} can be formatted" "$text" ;;
    esac
  done
else
  skip "the manual pages are clean" "there is no mandoc"
fi

help_options >"$work/help-options"
manual_options >"$work/manual-options"
nothing "--help and tracestat.1 have the same options" "$(diff "$work/help-options" "$work/manual-options")"

if grep -q '@[A-Z_]*@' "$manual"; then not_ok "the version stands in tracestat.1"; else ok "the version stands in tracestat.1"; fi

lines=$("$program" --help | wc -l)
widest=$("$program" --help | awk 'length($0) > max { max = length($0) } END { print max + 0 }')
if [ "$lines" -le 45 ] && [ "$widest" -le 80 ]; then
  ok "--help fits on a screen"
else
  not_ok "--help fits on a screen" "$lines lines, $widest columns"
fi

# missing LIST FILE...: the names that --list prints and the pages do not have as the tag of an item
missing () {
  list=$1
  shift
  sed -n 's/^\.It \(Cm \)\{0,1\}//p' "$@" >"$work/tags"
  "$program" --list "$list" | sed 's/[[:blank:]].*//' | while read -r name; do
    grep -qxF -- "$name" "$work/tags" || echo "$name"
  done
}

nothing "every metric is in tracestat-metrics.7" "$(missing metrics "$TS_SRCDIR/man/tracestat-metrics.7")"
nothing "every format is in tracestat-formats.5" "$(missing formats "$TS_SRCDIR/man/tracestat-formats.5")"
nothing "every diagnostic is in tracestat.1" "$(missing diagnostics "$manual")"

# cet NS...: n, min, mean and max of a task that has these CET, as CSV writes them
cet () {
  at=0
  printf '#version 2.1.0\n#timeScale ns\n' >"$work/cet.btf"
  for length; do
    printf '%d,C,0,T,A,,start\n%d,C,0,T,A,,terminate\n' "$at" $((at + length)) >>"$work/cet.btf"
    at=$((at + length))
  done
  "$program" -q -f csv -m CET "$work/cet.btf" | sed -n 's/.*,A,,task,CET,ns,\([^,]*,[^,]*,[^,]*,[^,]*\),.*/\1/p'
}

# the second mean is 10^17 and 1/3
digits=$(cet 2305843009213693949 && cet 100000000000000000 100000000000000000 100000000000000001 && cet 1 1 2)
expected='1,2305843009213693949,2305843009213693949,2305843009213693949
3,100000000000000000,100000000000000000,100000000000000001
3,1,1.33333333333333,2'
if [ "$digits" = "$expected" ]; then ok "numbers have the digits that tracestat.1 tells"; else not_ok "numbers have the digits that tracestat.1 tells" "$digits"; fi

# what ends the reading of ATF: the limit of a text is that of the page
{
  sed -n '/<SystemElement/q;p' "$work/engine.atf.xml"
  printf '<SystemElement Name="'
  head -c 1048577 /dev/zero | tr '\0' x
  printf '" ID="1" Type="task">\n'
} >"$work/long.xml"
limit=$("$program" -q "$work/long.xml" 2>&1 | sed -n 's/.*longer than \([0-9]*\) bytes.*/\1/p')
if [ -n "$limit" ] && grep -qF "longer than $limit bytes" "$TS_SRCDIR/man/tracestat-formats.5"; then
  ok "tracestat-formats.5 has the limit of a text of ATF"
else
  not_ok "tracestat-formats.5 has the limit of a text of ATF" "limit: $limit"
fi

undescribed=$("$program" --list writers | sed 's/[[:blank:]].*//' | while read -r name; do
  sed -n '/^\.It Fl f /,/^\.It Fl -instances/p' "$manual" | grep -qw -- "$name" || echo "$name"
done)
nothing "every writer is in tracestat.1" "$undescribed"

# columns FILE SECTION: names in the page's section that a header does not have, and the other way round
columns () {
  head -n 1 "$1" | tr ',' '\n' | sort >"$work/columns"
  sed -n "/^\.Ss $2\$/,/^\.S[sh] /p" "$manual" | sed -n 's/^\.It Cm //p' | sed 's/ , /\n/g' | sort >"$work/documented"
  diff "$work/columns" "$work/documented"
}

run 'tracestat -q -o columns.csv -o columns.json --instances instances.csv engine.atf.xml'
nothing "the columns of CSV are those of tracestat.1" "$(columns "$work/columns.csv" CSV)"
nothing "the columns of instances are those of tracestat.1" "$(columns "$work/instances.csv" Instances)"

unknown=$(sed -n 's/^ *"\([a-z_0-9]*\)": .*/\1/p' "$work/columns.json" | sort -u | while read -r name; do
  case $name in
    p90 | p95 | p99) ;; # "p50 and so on"
    max_at | min_instance | max_instance | min_ticks | max_ticks | sum_ticks | reference) ;; # "min_at to reference_value"
    *) sed -n '/^\.Ss JSON/,/^\.Ss Inst/p' "$manual" | grep -qw -- "$name" || echo "$name" ;;
  esac
done)
nothing "the members of JSON are in tracestat.1" "$unknown"

# The examples of tracestat(1), in a folder with the example trace. A line that ends in a bar goes on.
sed -n '/^\.Sh EXAMPLES/,/^\.Sh DIAGNOSTICS/p' "$manual" |
  sed -n '/^\.Bd -literal/,/^\.Ed/p' | sed '/^\.Bd/d; s/\\(aq/'"'"'/g; s/\\-/-/g; s/\\e/\\/g' |
  awk '/^\.Ed/ { if (text != "") print text; text = ""; next }
       { sub (/^\$ /, ""); sub (/^ +/, ""); text = text (text == "" ? "" : " ") $0 }' >"$work/examples"

if [ "$(wc -l <"$work/examples")" -ge 8 ]; then
  ok "tracestat.1 has examples"
else
  not_ok "tracestat.1 has examples" "$(cat "$work/examples")"
fi
while IFS= read -r example; do
  case $example in
    *'| jq '*)
      if ! has jq; then
        skip "$example" "there is no jq"
        continue
      fi
      ;;
  esac
  rm -f "$work/status" "$work/report.csv"
  # of a pipe, the program's own status matters, too
  output=$(run "{ ${example%%|*}; echo \$? >status; } ${example#"${example%%|*}"}" 2>&1)
  status=$?
  if [ "$status" -eq 0 ] && [ "$(cat "$work/status")" -eq 0 ] &&
    { [ -n "$output" ] || [ -s "$work/report.csv" ]; }; then
    ok "$example"
  else
    not_ok "$example" "$output"
  fi
done <"$work/examples"

# The figure of tracestat-metrics(7) is the example of tracestat-formats(5).
sed -n '/^<?xml/,/^\.Ed/{/^\.Ed/d;p;}' "$TS_SRCDIR/man/tracestat-formats.5" >"$work/figure.atf.xml"
measured=$(run 'tracestat -q --instances figure.csv -e A figure.atf.xml' 2>&1
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
           NR == 2 { print "IPT", $column["ipt"] / 1000; print "CET", $column["cet"] / 1000
                     print "PRE", $column["pre"] / 1000; print "GET", $column["get"] / 1000
                     print "RT", $column["rt"] / 1000 }
           NR == 3 { print "ST", $column["st"] / 1000; print "E2S", $column["e2s"] / 1000
                     print "PER", $column["per"] / 1000; print "DT", $column["dt"] / 1000 }' "$work/figure.csv")
drawn=$(sed -n '/^event  a/,/^\.Ed/p' "$TS_SRCDIR/man/tracestat-metrics.7" | awk '
  /^(IPT|PRE|GET|RT|ST|E2S|PER|DT)/ { first = index ($0, "|-")
                                      rest = substr ($0, first + 1); sub (/-\|.*/, "-", rest)
                                      length_of[$1] = length (rest) + 1 }
  /^CET/ { match ($0, /\|-+\|/); length_of["CET"] = RLENGTH - 1
           rest = substr ($0, RSTART + RLENGTH); match (rest, /\|-+\|/); length_of["CET"] += RLENGTH - 1 }
  END { split ("IPT CET PRE GET RT ST E2S PER DT", names, " ")
        for (i = 1; i <= 9; i++) print names[i], length_of[names[i]] }')
if [ -n "$measured" ] && [ "$measured" = "$drawn" ]; then
  ok "the figure of tracestat-metrics.7 is what is measured"
else
  not_ok "the figure of tracestat-metrics.7 is what is measured" "measured: $measured
drawn: $drawn"
fi

# README.md with the output of its commands as it is today.
refresh () {
  inside=no
  while IFS= read -r line; do
    case $inside,$line in
      'no,```console')
        inside=yes
        printf '%s\n' "$line"
        ;;
      'yes,```')
        inside=no
        printf '%s\n' "$line"
        ;;
      'yes,$ '*)
        printf '%s\n' "$line"
        run "${line#??}" 2>&1
        ;;
      yes,*) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <"$readme"
}

refresh >"$work/README.md"
if [ -n "${TS_UPDATE-}" ]; then cat "$work/README.md" >"$readme"; fi
nothing "README.md shows what the program prints" "$(diff "$readme" "$work/README.md")"
if grep -q '^\$ build/tracestat' "$readme"; then ok "README.md shows a session"; else not_ok "README.md shows a session"; fi

# The C example of README.md is the one that is compiled, without its licence line.
awk '/^```/ { inside = $0 == "```c"; next } inside' "$readme" >"$work/example.c"
nothing "the C example of README.md is the one that is compiled" \
  "$(sed 1d "$TS_SRCDIR/tests/example-library.c" | diff - "$work/example.c")"
"$TS_BUILDDIR/tests/example-library" "$work/engine.atf.xml" >"$work/by-library" 2>&1
run "tracestat -f csv -u us -t task -m RT engine.atf.xml" | awk -F, '
  NR > 1 && $10 > 0 { print $5 " " $13 " us, instance started at " $20 " us" }' >"$work/by-command"
if [ -s "$work/by-library" ]; then ok "the C example prints"; else not_ok "the C example prints"; fi
nothing "the C example and the command agree" "$(diff "$work/by-library" "$work/by-command")"

# Completion, in a bash without the helpers of bash-completion.
# complete WORD...: what comes after the last of them
completions () {
  # shellcheck disable=SC2016 # bash expands that
  bash --norc -c '
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _tracestat && :
    printf "%s\n" "${COMPREPLY[@]}"' bash "$TS_SRCDIR/data/completions/tracestat" tracestat "$@" 2>&1 | sort
}

# completes MESSAGE EXPECTED WORD...: EXPECTED in sorted order, one a line
completes () {
  message=$1 expected=$2
  shift 2
  actual=$(cd "$work" && completions "$@")
  if [ "$actual" = "$expected" ]; then ok "$message"; else not_ok "$message" "expected: $expected
actual: $actual"; fi
}

if has bash && bash -c '[[ ${BASH_VERSINFO[0]} -ge 4 ]]'; then
  completes "bash completes every option" "$(cat "$work/help-options")" -
  completes "bash completes metrics" "$("$program" --list metrics | sed 's/[[:blank:]].*//' | sort)" -m ''
  completes "bash completes the last of several metrics" "CET,IPT" -m CET,ip
  completes "bash completes types" "task" --type ta
  completes "bash completes types with blanks" "isr,basic-block" -t isr,basic
  completes "bash completes writers" "$("$program" --list writers | sed 's/[[:blank:]].*//' | sort)" --format = ''
  completes "bash completes formats" "atf" --input-format = at
  completes "bash completes lists" "diagnostics" --list d
  completes "bash completes files" "engine.atf.xml
engine.atf.xml.gz" engine
  if [ -n "$(run 'tracestat -q -t basic-block engine.atf.xml' 2>&1)" ]; then
    not_ok "a completed type is one"
  else
    ok "a completed type is one"
  fi
else
  skip "bash completes" "there is no bash 4"
fi

echo "1..$n"
