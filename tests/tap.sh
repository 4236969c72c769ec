# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# ok MESSAGE, not_ok MESSAGE [DETAILS], skip MESSAGE REASON: the lines of TAP. To be sourced; the caller prints the plan, 1..$n.
n=0

ok () {
  n=$((n + 1))
  echo "ok $n - $1"
}

not_ok () {
  n=$((n + 1))
  echo "not ok $n - $1"
  [ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip () {
  n=$((n + 1))
  echo "ok $n - $1 # SKIP $2"
}
