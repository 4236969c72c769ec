#!/bin/sh
# SPDX-License-Identifier: MIT
# A report has the same bytes whenever, wherever and in whatever language it is made.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
tracestat=$TS_BUILDDIR/tracestat
"$TS_BUILDDIR/tests/generate" --shape=mixed --seed=5 -o "$folder/trace.xml" || exit 1
cd "$folder" || exit 1

# A language with a decimal comma: one that the system has, or one made for the moment.
comma=$(locale -a 2>/dev/null | grep -E '^(de|fr|nl|es|it|sv|pl)_.*\.(utf8|UTF-8)$' | head -n 1)
if [ -z "$comma" ]; then
  comma=de_DE.UTF-8
  if localedef -c -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" 2>/dev/null; then
    LOCPATH=$folder
    export LOCPATH
  else
    echo "# no language with a decimal comma is installed"
  fi
fi

n=0
report () # NAME FORMAT OPTION...
{
  name=$1 format=$2
  shift 2
  n=$((n + 1))
  LC_ALL=C TZ=UTC "$tracestat" -q --color=never -f "$format" "$@" trace.xml >first 2>first.err
  status=$?
  LC_ALL=$comma LANGUAGE=de TZ=Pacific/Apia "$tracestat" -q --color=never -f "$format" "$@" trace.xml >second 2>second.err
  status=$status$?
  COLUMNS=300 LC_ALL=$comma TZ=America/St_Johns "$tracestat" -q --color=never -f "$format" "$@" trace.xml >third 2>third.err
  status=$status$?
  if [ "$status" = 000 ] && [ -s first ] && cmp -s first second && cmp -s first third; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    echo "# exit status of the three runs: $status"
    diff first second | sed -n 's/^/# /; 1,6p'
    sed 's/^/# /' first.err
  fi
}

report "text is the same in every locale and time zone" text
report "csv is the same in every locale and time zone" csv
report "json is the same in every locale and time zone" json
report "csv with its own percentiles and unit is the same" csv -p 12.5,99.9 -u us
report "json of each section is the same" json --per-section

# Rows of instances come in the order of the trace.
n=$((n + 1))
LC_ALL=C "$tracestat" -q -f csv --instances=one.csv trace.xml >/dev/null
LC_ALL=$comma TZ=Asia/Tokyo "$tracestat" -q -f csv --instances=other.csv trace.xml >/dev/null
if [ -s one.csv ] && cmp -s one.csv other.csv; then
  echo "ok $n - instances are the same in every locale and time zone"
else
  echo "not ok $n - instances are the same in every locale and time zone"
fi

# A pipe is read in pieces, and once.
n=$((n + 1))
"$tracestat" -q -f csv trace.xml | sed 's/^trace.xml,//' >file.csv
# shellcheck disable=SC2002 # a pipe is the point
cat trace.xml | "$tracestat" -q -f csv - | sed 's/^[^,]*,//' >pipe.csv
sed 1d file.csv >file; sed 1d pipe.csv >pipe
if [ -s file ] && cmp -s file pipe; then
  echo "ok $n - a pipe gives the numbers of the file"
else
  echo "not ok $n - a pipe gives the numbers of the file"
  diff file pipe | sed -n 's/^/# /; 1,6p'
fi
echo "1..$n"
