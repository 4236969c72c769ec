#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every fuzz target for a while: tests/fuzz.sh [SECONDS [SEED]]. Needs clang with libFuzzer.
# With a seed two runs differ little, so that what fails tells of the last change; without one each goes another way.
# What it finds is left in the current folder; an input that showed something belongs into a test.
set -eu
seconds=${1:-60}
seed=${2:-0}
source_dir=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$work" && "$source_dir/configure" -q CC=clang CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" >/dev/null &&
  make -s -j"$(nproc)" libtracestat-internal.la >/dev/null 2>&1)
# shellcheck disable=SC2046 # words
for target in "$source_dir"/tests/fuzz-*.c; do
  format=$(basename "$target" .c | sed 's/^fuzz-//')
  # the fixture that it includes
  extra=$(sed -n "s|^#include \"\(reading[a-z-]*\)\.h\"|$source_dir/tests/\1.c|p" "$target")
  # shellcheck disable=SC2086 # perhaps no word at all
  clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -std=gnu11 \
    -I"$source_dir/include" -I"$source_dir/src" -I"$work" \
    $(pkg-config --cflags glib-2.0 gio-2.0 libxml-2.0) "$target" $extra "$work/.libs/libtracestat-internal.a" \
    $(pkg-config --libs glib-2.0 gio-2.0 libxml-2.0) $(sed -n 's/^\(ARCHIVE\|JSON\)_LIBS = //p' "$work/Makefile") -lm \
    -o "$work/$format"
  mkdir -p "$work/corpus-$format"
  # the generator's traces are the seeds
  if [ -x "$source_dir/build/tests/generate" ]; then
    for shape in mixed chained "mixed --sections 4"; do
      # shellcheck disable=SC2086 # words
      "$source_dir/build/tests/generate" --shape $shape --events 60 --format "$format" \
        -o "$work/corpus-$format/${shape##* }" 2>/dev/null || rm -f "$work/corpus-$format/${shape##* }"
    done
  fi
  # and those of or-parallel programs, and the examples
  [ "$format" != visandor ] || cp "$source_dir"/tests/traces/*.vis "$work/corpus-$format/"
  if [ "$format" = visandor ] && [ -x "$source_dir/build/tests/generate" ]; then
    "$source_dir/build/tests/generate" --events 60 --format visandor-or -o "$work/corpus-$format/or" 2>/dev/null
  fi
  [ ! -d "$source_dir/tests/$format" ] || cp "$source_dir/tests/$format"/*."$format" "$work/corpus-$format/"
  echo "fuzzing $format for $seconds s"
  "$work/$format" -max_total_time="$seconds" -seed="$seed" -max_len=20000 -timeout=20 -verbosity=0 "$work/corpus-$format" 2>"$work/log" || {
    tail -n 40 "$work/log"
    echo "fuzz target $format failed"
    exit 1
  }
done
