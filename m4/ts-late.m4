# SPDX-License-Identifier: MIT
# TS_LATE_FILE(VARIABLE, LIBRARY, FUNCTION, LIBS): the file that a program which is linked with LIBS loads for LIBRARY,
# or nothing if that cannot be said.
AC_DEFUN([TS_LATE_FILE], [
  AC_MSG_CHECKING([which file $2 is])
  ts_saved_libs=$LIBS
  LIBS="$4 $LIBS"
  AC_LINK_IFELSE([AC_LANG_CALL([], [$3])],
    [$1=`$READELF -d conftest$EXEEXT 2>/dev/null | sed -n 's/.*(NEEDED).*\($2\.so@<:@.0-9@:>@*\).*/\1/p'`],
    [$1=])
  LIBS=$ts_saved_libs
  AC_MSG_RESULT([${$1:-not known}])
])
