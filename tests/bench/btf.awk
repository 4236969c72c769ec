# SPDX-License-Identifier: MIT
# Times of the tasks and ISRs of a BTF trace, the shortest way in awk: one state per instance.
# Assumes what the generator keeps to: instance numbers, no blanks, time in order, no defects.
# Prints ELEMENT,METRIC,n,min,mean,max in ticks.
BEGIN { FS = "," }

function add(metric, value,    key) {
  key = $5 "," metric
  if (!(key in n) || value < min[key]) min[key] = value
  if (!(key in n) || value > max[key]) max[key] = value
  n[key]++
  sum[key] += value
}

$4 != "T" && $4 != "I" { next }
{ id = $5 "," $6 }
$7 == "activate" { activation[id] = $1; next }
$7 == "start" {
  start[id] = since[id] = $1
  if (id in activation) add("IPT", $1 - activation[id])
  next
}
$7 == "preempt" { running[id] += $1 - since[id]; next }
$7 == "resume" { since[id] = $1; next }
$7 == "terminate" {
  add("CET", running[id] + $1 - since[id])
  add("GET", $1 - start[id])
  if (id in activation) add("RT", $1 - activation[id])
  delete activation[id]; delete start[id]; delete since[id]; delete running[id]
}

END { for (key in n) printf "%s,%.0f,%.0f,%.15g,%.0f\n", key, n[key], min[key], sum[key] / n[key], max[key] }
