#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden cases: what the command reports of a trace, in CSV and JSON, against numbers that were
# worked out by hand. Each is a folder of tests/golden: in.atf.xml or in.etf, expected, and a README
# that derives what is expected. The lines of `expected':
#
#     options OPTION...            besides -u ticks
#     input CASE                   the trace of another case
#     ELEMENT METRIC COLUMN=VALUE...   columns of the CSV; all=VALUE: min, mean and max
#     LOAD RESOURCE BUSY/WINDOW
#     section N ...                the same of one section (--per-section)
#     diagnostic NAME COUNT
#
# What has samples and is not listed is wrong, and so is any other diagnostic.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
tracestat=$TS_BUILDDIR/tracestat
golden=$TS_SRCDIR/tests/golden
cd "$golden" || exit 1

# CSV to lines `section|element|metric|column|value'.
cat >"$folder/csv.awk" <<'EOF'
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
{
  for (i = 1; i <= NF; i++) value[name[i]] = $i
  for (i = 1; i <= NF; i++) print value["section"] "|" value["element"] "|" value["metric"] "|" name[i] "|" $i
}
EOF

# JSON to lines `path=value', a path being like .elements[2].metrics.CET.n
cat >"$folder/flatten.awk" <<'EOF'
{ text = text $0 "\n" }
END { n = length(text); p = 1; parse("") }
function skip() { while (p <= n && substr(text, p, 1) ~ /[ \n\t]/) p++ }
function string(    s, c) {
  s = ""
  for (p++; p <= n && (c = substr(text, p, 1)) != "\""; p++) {
    if (c == "\\") { p++; c = substr(text, p, 1) }
    s = s c
  }
  p++
  return s
}
function parse(path,    c, key, i) {
  skip()
  c = substr(text, p, 1)
  if (c == "\"") print path "=" string()
  else if (c == "{" || c == "[") {
    i = 0
    p++
    skip()
    if (substr(text, p, 1) == (c == "{" ? "}" : "]")) { p++; return }
    do {
      skip()
      if (c == "{") { key = "." string(); skip(); p++ }
      else key = "[" i++ "]"
      parse(path key)
      skip()
      p++
    } while (p <= n && substr(text, p - 1, 1) == ",")
  } else {
    i = p
    while (p <= n && substr(text, p, 1) ~ /[-+.0-9a-zE]/) p++
    print path "=" substr(text, i, p - i)
  }
}
EOF

# The flattened JSON to the lines of the CSV, and `diagnostic|NAME|COUNT'.
cat >"$folder/json.awk" <<'EOF'
{
  at = index($0, "=")
  path = substr($0, 1, at - 1)
  value = substr($0, at + 1)
}
path ~ /^\.elements\[[0-9]+\]\.element$/ || path ~ /^\.resources\[[0-9]+\]\.resource$/ { element = value }
path ~ /^\.(elements|resources)\[[0-9]+\]\.metrics\.[A-Z0-9]+\.[a-z0-9_]+$/ {
  split(path, part, ".")
  print "|" element "|" part[4] "|" part[5] "|" value
}
path ~ /^\.diagnostics\[[0-9]+\]\.name$/ { diagnostic = value }
path ~ /^\.diagnostics\[[0-9]+\]\.count$/ { print "diagnostic|" diagnostic "|" value }
EOF

# Compares; prints what is wrong.
cat >"$folder/compare.awk" <<'EOF'
function check(section, element, metric, column, wanted,    key, is) {
  key = section "|" element "|" metric
  is = key "|" column in fact ? fact[key "|" column] : "nothing"
  if (is != wanted) print format ": " key " " column " is " is ", expected " wanted
  listed[key] = 1
}
FILENAME == facts {
  n = split($0, part, "|")
  if (part[1] == "diagnostic") { diagnostic[part[2]] = part[3]; next }
  fact[part[1] "|" part[2] "|" part[3] "|" part[4]] = part[5]
  if (part[4] == "n" && part[5] > 0 && part[1] == "") sampled[part[1] "|" part[2] "|" part[3]] = 1
  next
}
/^(#|options |input |$)/ { next }
$1 == "diagnostic" {
  if (format == "JSON") {
    is = $2 in diagnostic ? diagnostic[$2] : "0"
    if (is != $3) print format ": diagnostic " $2 " is " is ", expected " $3
    delete diagnostic[$2]
  }
  next
}
{
  section = ""
  line = $0
  if ($1 == "section") {
    if (format == "JSON") next
    section = $2
    sub(/^section [0-9]+ /, "", line)
  }
  n = split(line, word, " ")
  if (word[1] == "LOAD") {
    split(word[3], ratio, "/")
    check(section, word[2], "LOAD", "sum_ticks", ratio[1])
    check(section, word[2], "LOAD", "reference_value", ratio[2])
    next
  }
  for (i = 3; i <= n; i++) {
    split(word[i], pair, "=")
    if (pair[1] == "all") {
      check(section, word[1], word[2], "min", pair[2])
      check(section, word[1], word[2], "mean", pair[2])
      check(section, word[1], word[2], "max", pair[2])
    } else check(section, word[1], word[2], pair[1], pair[2])
  }
  n_lines++
}
END {
  if (n_lines == 0) print format ": nothing is expected"
  for (key in sampled) if (!(key in listed)) print format ": " key " is not expected"
  for (name in diagnostic) print format ": diagnostic " name " is not expected"
}
EOF

run_case() {
  name=$1
  input=$(sed -n 's/^input //p' "$name/expected")
  options=$(sed -n 's/^options //p' "$name/expected")
  for trace in "${input:-$name}"/in.*; do :; done
  set -f
  for format in csv json; do
    # shellcheck disable=SC2086
    "$tracestat" -q -u ticks $options -f $format "$trace" >"$folder/out.$format" 2>"$folder/messages" || {
      echo "status $?"
      cat "$folder/messages"
    }
  done
  set +f
  awk -f "$folder/csv.awk" "$folder/out.csv" >"$folder/csv"
  awk -f "$folder/flatten.awk" "$folder/out.json" | awk -f "$folder/json.awk" >"$folder/json"
  awk -v format=CSV -v facts="$folder/csv" -f "$folder/compare.awk" "$folder/csv" "$name/expected"
  awk -v format=JSON -v facts="$folder/json" -f "$folder/compare.awk" "$folder/json" "$name/expected"
}

number=0
for path in ./*/; do
  name=$(basename "$path")
  number=$((number + 1))
  run_case "$name" >"$folder/wrong" 2>&1
  if [ -s "$folder/wrong" ]; then
    echo "not ok $number - $name"
    sed 's/^/# /' "$folder/wrong"
  else
    echo "ok $number - $name"
  fi
done
echo "1..$number"
