# SPDX-License-Identifier: MIT
# TS_APPEND_FLAGS(VARIABLE, FLAGS): adds those of FLAGS that the compiler takes without a warning.
AC_DEFUN([TS_APPEND_FLAGS], [
  for ts_flag in m4_normalize([$2]); do
    AC_MSG_CHECKING([whether $CC accepts $ts_flag])
    ts_saved_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $ts_flag"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int ts_unit (void); int ts_unit (void) { return 0; }]])],
      [AC_MSG_RESULT([yes]); $1="$$1 $ts_flag"],
      [AC_MSG_RESULT([no])])
    CFLAGS=$ts_saved_cflags
  done
])
