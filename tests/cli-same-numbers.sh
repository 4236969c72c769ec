#!/bin/sh
# SPDX-License-Identifier: MIT
# CSV and JSON of one run carry the same numbers, digit by digit, for every element and metric.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
tracestat=$TS_BUILDDIR/tracestat
generate=$TS_BUILDDIR/tests/generate
cd "$folder" || exit 1

# Lines `resource|parent|element|id|type|metric|column|value', of columns that are not empty.
cat >csv.awk <<'END'
function split_row(line, fields,    n, i, c, quoted) {
  n = 1; fields[1] = ""; quoted = 0
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") { fields[n] = fields[n] c; i++ }
    else if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) fields[++n] = ""
    else fields[n] = fields[n] c
  }
  return n
}
NR == 1 { n_names = split_row($0, names); next }
{
  n = split_row($0, row)
  if (n != n_names) print "row " NR " has " n " fields"
  for (i = 1; i <= n; i++) value[names[i]] = row[i]
  key = value["resource"] "|" value["parent"] "|" value["element"] "|" value["id"] "|" value["type"] "|" value["metric"]
  # of a resource, only the load
  if (value["type"] == "resource") key = "|" "|" value["element"] "|" value["id"] "|resource|" value["metric"]
  for (i = 9; i <= n; i++) if (row[i] != "") print key "|" names[i] "|" row[i]
}
END

# The same of JSON that has one member a line, indented by two blanks a level; of its members
# those that are columns as well.
cat >json.awk <<'END'
BEGIN { split(columns, list, ","); for (i in list) is_column[list[i]] = 1 }
function text(line) {
  sub(/^ *"[^"]*": */, "", line); sub(/,$/, "", line)
  if (line ~ /^"/) { line = substr(line, 2, length(line) - 2); gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line) }
  return line
}
function name(line) { sub(/^ *"/, "", line); sub(/".*/, "", line); return line }
function level(line) { match(line, /^ */); return RLENGTH / 2 }
/^  "/ { part = name($0); next }
part != "elements" && part != "resources" { next }
level($0) == 2 && /{/ { resource = parent = element = id = ""; type = part == "resources" ? "resource" : ""; next }
level($0) == 3 && /^ *"/ {
  inside = name($0)
  if (inside == "resource" && part == "resources") element = text($0)
  else if (inside == "resource") resource = text($0)
  else if (inside == "parent") parent = text($0)
  else if (inside == "element") element = text($0)
  else if (inside == "id") id = text($0)
  else if (inside == "type") type = text($0)
  next
}
level($0) == 4 && inside == "metrics" && /^ *"/ { metric = name($0); next }
level($0) == 5 && inside == "metrics" && is_column[name($0)] {
  print resource "|" parent "|" element "|" id "|" type "|" metric "|" name($0) "|" text($0)
}
END

n=0
compare () # NAME FILE OPTION...
{
  name=$1 file=$2
  shift 2
  n=$((n + 1))
  "$tracestat" -q -o all.csv -o all.json "$@" "$file" || { echo "not ok $n - $name (failed)"; return; }
  awk -f csv.awk all.csv | sort >from-csv
  awk -v columns="$(head -n 1 all.csv)" -f json.awk all.json | sort >from-json
  if [ "$(wc -l <from-csv)" -gt 200 ] && cmp -s from-csv from-json; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    diff from-csv from-json | sed -n 's/^/# /; 1,10p'
  fi
}

for shape in mixed sections third-ms decimals engine; do
  "$generate" --shape=$shape --seed=9 -o $shape.xml || exit 1
  compare "csv and json of $shape agree" $shape.xml
done
compare "csv and json agree in microseconds" mixed.xml -u us
compare "csv and json agree in ticks" decimals.xml -u ticks
compare "csv and json agree on other percentiles" mixed.xml -p 10,99.9 --exact-percentiles
echo "1..$n"
