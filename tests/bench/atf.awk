# SPDX-License-Identifier: MIT
# Times of the tasks and ISRs of an ATF trace, the shortest way in awk: every `"' parts two fields.
# Assumes what the generator keeps to: one entry a line, its attributes in one order, no defects.
# An end belongs to the instance that runs, a start to the oldest activation that waits.
# Prints ELEMENT,METRIC,n,min,mean,max in ticks.
BEGIN { FS = "\"" }

function add(metric, value,    key) {
  key = name[$6] "," metric
  if (!(key in n) || value < min[key]) min[key] = value
  if (!(key in n) || value > max[key]) max[key] = value
  n[key]++
  sum[key] += value
}

/<TraceEntry / {
  if (!($6 in name)) next
  kind = type[$4]
  if (kind == "start") {
    start[$6] = since[$6] = $2
    running[$6] = 0
    has[$6] = taken[$6] < queued[$6]
    if (has[$6]) {
      activation[$6] = queue[$6, ++taken[$6]]
      delete queue[$6, taken[$6]]
      add("IPT", $2 - activation[$6])
    }
  } else if (kind == "preempt") running[$6] += $2 - since[$6]
  else if (kind == "resume") since[$6] = $2
  else if (kind == "end") {
    add("CET", running[$6] + $2 - since[$6])
    add("GET", $2 - start[$6])
    if (has[$6]) add("RT", $2 - activation[$6])
  } else if (kind == "activate") queue[$6, ++queued[$6]] = $2
  next
}
/<SystemElement / && ($6 == "task" || $6 == "isr") { name[$4] = $2 }
/<EventIDMapping / {
  type[$2] = $4 ~ /^activation/ && $4 != "activation-failed" ? "activate" : $4
}

END { for (key in n) printf "%s,%.0f,%.0f,%.15g,%.0f\n", key, n[key], min[key], sum[key] / n[key], max[key] }
