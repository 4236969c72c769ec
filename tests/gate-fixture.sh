# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the release check share: a folder of their own, and TAP. To be sourced; the caller prints the plan.
set -u
LC_ALL=C
export LC_ALL

program=$TS_BUILDDIR/tracestat

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

# shellcheck source=tests/tap.sh
. "$TS_SRCDIR/tests/tap.sh"

# status EXPECTED MESSAGE ARGUMENT...: runs the program; what it says is in out and err
status () {
  expected=$1
  message=$2
  shift 2
  "$program" "$@" >out 2>err
  got=$?
  if [ "$got" -eq "$expected" ]; then
    ok "$message"
  else
    not_ok "$message" "status $got: $(cat err)"
  fi
}

# says FILE TEXT: the file has it
says () {
  if grep -qF -- "$2" "$1"; then ok "... and says: $2"; else not_ok "... and says: $2" "$(cat "$1")"; fi
}

# lacks MESSAGE FILE TEXT: the file does not have it
lacks () {
  if grep -qF -- "$3" "$2"; then not_ok "$1" "$(cat "$2")"; else ok "$1"; fi
}

same () {
  if cmp -s "$2" "$3"; then ok "$1"; else not_ok "$1" "$(diff "$2" "$3" | head -n 10)"; fi
}
