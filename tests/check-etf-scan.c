/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "quick-etf.h"
#include "unit.h"

/* Claims and events that are read at once: whatever their lines look like, the result is that of the readers of any
 * line alone, to the line of every defect. */

#define HEAD "TU MICROSECONDS\nR 0 4 false ; name=cpu\nR 17 64.5 true ; name=mem\nR 2 1 false ; name=core\n"

static void
expect_the_same (const char *text, gsize length, gsize chunk)
{
  static const TsOptions options[] = {
    { .element_key = NULL },
    { .instance_key = (char *) "id", .activation = (char *) "event:event=activate", .object_key = (char *) "id" },
    { .element_key = (char *) "name,type", .activation = (char *) "dep" },
    { .element_key = (char *) "type", .instance_key = (char *) "pid,id", .exec_resources = (char *) "c*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    quick_etf_expect_the_same (text, length, chunk, &options[i]);
}

/* A few lines in a layout, %t being the time, %e a later one, %i an id, %n the number of the job; %T, %E and %I the same
 * with as many digits in each line, %L and %M with so many that not all change, %W and %X those since 1970 in
 * nanoseconds, whose first digits change often, %S and %F the same in seconds; %b some blanks. And what stands after every
 * fifth. */
static const struct
{
  const char *lines;
  const char *between;
} layouts[] = {
  { "C %i %t %e 0 1 ; name=Task_1, id=%n\nE %i %t ; name=Task_1, id=%n, event=activate\n", "" },
  { "C %i %t %e 0 1;name=Task_1,id=%n\nE %i %t;name=Task_1,id=%n,event=activate\n", "" },
  { "C  %i   %t\t%e 0  1 \t ; name=Task_1 , id = %n \nE\t%i  %t   ;  name=Task_1,id=%n  ,\tevent=activate\n", "" },
  { "C %i %t %e 0 1 ; name=Task_1, id=%n\r\nE %i %t ; name=Task_1, id=%n\r\n", "" },
  { "C %i %t %e 0 1 ; name=Task_1, id=%n\r\r\nE %i %t ; name=Task\r_1, id=%n\r\n", "" },
  { "C %i %t %e 0 1 ;\nE %i %t ;  \nC 9%i %t %e 0 1\nE 9%i %t\n", "" },
  { "C %i %t %e 17 4 60.5 ; name=Task_1, id=%n\nC 9%i %t %e 0 1.0 ; name=Task_1, id=%n\n",
    "C 8%i %t %e 17 4 ; name=B\n" },
  { "C %i %t %e 17 4 60 ; name=Task_1, id=%n\n", "C 8%i %t %e 17 5 60 ; name=B\nC 8%i1 %t %e 17 0 64.500 ; name=B\n" },
  { "C %i %t %e 0 1 ; name=Task_1\n", "C 8%i %t %e 0 1 5 ; name=B\n" },
  { "C %i %t %e 0 1 ; name=Task_1\n", "C 8%i %t %e 0 5 ; name=B\nC 7%i %t %e 0 -1 ; name=B\nC 6%i %t %e 0 0 ; name=B\n" },
  { "C %i %t %e.5 0 1 ; name=Task_1\n", "C 8%i %t.25 %e.750 0 0.5 ; name=B\n" },
  { "C %i %t.0 %e.000000 0 1.00 ; name=Task_1\nE %i %t.000 ; name=x\n", "C 8%i %t.000001 %e.1 0 1 ; name=B\n" },
  { "C %i 123456%t 123456%e 0 1 ; name=Task_1\n", "C 8%i 123456789012%t 123456789012%e 0 1 ; name=B\n" },
  { "C %i 12345678901%t.5 12345678901%e.125 0 1 ; name=Task_1\n", "C 8%i 1%t 1%e.123456789 0 1 ; name=B\n" },
  { "C %i %t %e.000001 0 1 ; name=Task_1\n", "C 8%i 123456789012%t 123456789012%e 0 1 ; name=B\n" },
  { "C %i 12345678901%t 12345678901%e 0 1 ; name=Task_1\n", "C 8%i %t %e.0000001 0 1 ; name=B\n" },
  { "E %i 12345678901%t ; name=Task_1\n", "E 8%i %t.0000001 ; name=B\n" },
  { "C %i -%t %e 0 1 ; name=Task_1\nE %i -%t.5 ; name=E\n", "C 8%i +%t +%e 0 +1 ; name=B\n" },
  { "C %i %te0 %e 0 1 ; name=Task_1\nC 9%i .5 %e. 0 1. ; name=Task_1\nE %i 1e3 ; name=E\n", "" },
  { "C %i %t %e 0 1 ; name=Task_1\n", "C 8%i %e %t 0 1 ; name=B\n" },
  { "C %i %t %e 0 1 ; name=Task_1\n", "C 0 %t %e 0 1 ; name=B\n" },
  { "E %i %t ; name=Task_1\n", "E 0 %t ; name=B\n" },
  { "C %i %t %e 0 1 ; name=Task_1\n", "C 8%i %t %e 7 1 ; name=B\n" },
  { "C %i %t %e 3 0 ; name=Task_1\n", "R 3 0.5 false ; name=late\n" },
  { "C a%i %t %e 0 1 ; name=Task_1\nE a%i %t ; name=Task_1\nC 00%i %t %e 0 1 ; name=Task_1\n", "" },
  { "C %i00000000 %t %e 0 1 ; name=Task_1\nC 1234567%i00000000 %t %e 0 1 ; name=Task_1\n", "" },
  { "C %i %t %e 0 1 ; name=Task_1, id=%n\n", "C 8%i %t %e 0 1 ; id=%n, name=Task_1\nC 7%i %t %e 0 1 ; id=%n\n" },
  { "C %i %t %e 0 1 ; name=Task_1, id=-%n\nC 9%i %t %e 0 1 ; name=Task_1, id=0%n\n", "C 8%i %t %e 0 1 ; name=A, id=x\n" },
  { "C %i %t %e 0 1 ; name=A, id=1234567%n\nC 9%i %t %e 0 1 ; name=A, id=12345678%n\n", "C 8%i %t %e 0 1 ; name=A, id=\n" },
  { "C %i %t %e 0 1 ; name=A\\,B, id=%n\nC 9%i %t %e 0 1 ; na\\me=A, id=%n\n", "C 8%i %t %e 0 1 ; name=A=B, id\n" },
  { "C %i %t %e 0 1 ; name=A, name=B\nC 9%i %t %e 0 1 ; name=, id=%n\nC 8%i %t %e 0 1 ; name= , id=%n\n", "" },
  { "C %i %t %e 0 1 ; name=A;B, id=%n\nC 9%i %t %e 0 1 ; name=A ; id=%n\n", "" },
  { "C %i %t %e 0 1 ; name=A, type=t, pid=%n, frag=1, resource=cpu, level=3, color=#00ff00, id=%n\n", "" },
  { "C %i %t %e 0 1 ; a_long_attribute_name=A, another_long_name=B, name=a_name_of_more_than_sixteen_bytes_%n\n"
    "C 9%i %t %e 0 1 ; a_long_attribute_nama=A, another_long_name=B, name=a_name_of_mare_than_sixteen_bytes_%n\n", "" },
  { "C %i %t %e 0 1 ; name=A\nE %i %t ; name=A\nD %i 7 %i %i ; type=x\n", "" },
  { "C %i %t %e 0 1 ; name=A\n", "# C 1 2 3 0 1 ; name=A\n\n \nS %i ; name=s\nF %i 0 1 0 0 0\nTS %i ; name=t\n" },
  { " C %i %t %e 0 1 ; name=A\nCC %i %t %e 0 1 ; name=A\n", "" },
  { "C %i %t %e 0 1 ; name=A\n", "C\nC \nC 1\n" },
  { "C %i %t %e 0                       1 ; name=A                                      , id=%n\n", "" },
  /* numbers of one length, with what breaks off such a series */
  { "C %I %T %E 0 1 ; name=Task_1, id=%n\nE %I %T ; name=Task_1, id=%n, event=activate\n", "" },
  { "C %I %T %E 0 1 ; name=Task_1, id=%n\r\nE %I %T ; name=Task_1, id=%n, event=activate\r\n", "C 7%I %T %E 0 1 ; name=B\r\r\n" },
  { "C\t%I\t%T\t%E\t0\t1\t;\tname=Task_1,\tid=%n\nE\t%I\t%T\t;\tname=Task_1\t,\tid=%n\t\n", "" },
  { "C%b%I%b%T%b%E%b0%b1%b;%bname%b=%bTask_1%b,%bid=%n%b\nE%b%I%b%T%b;%bname=Task_1,%bid%b=%b%n,%bevent=activate%b\n", "" },
  { "%bC%b%I %T %E %b%b%b%b%b%b%b%b0%b%b%b%b%b%b%b1 ;%bname=Task_1\n%bE %I%b%b%b%b%b%b%b%b%T ;%b%b%bid=1\n", "" },
  { "C %I %T %E 0 1 ; name=Task_1, id=%n\nC 2%I %T %E 2 1 ; name=Task_2, id=%n\nC 3%I %T %E 17 0 1 ; name=Task_3\n",
    "C 4%I %T %E 0 3 ; name=Task_1\nC 5%I %T %E 0 4 ; name=Task_1\n" },
  { "C %I %T %E 0 1 ; name=Task_1\n", "C 8%I %T %E 0 5 ; name=B\nC 7%I %E %T 0 1 ; name=B\n" },
  { "C %I %T %E 0 1 ; name=Task_1\n", "C 0%I %T %E 0 1 ; name=B\nC 10000 %T %E 0 1 ; name=B\nC 8%I 0%T 0%E 0 1 ; name=B\n" },
  { "E %I %T ; name=Task_1\n", "E 0%I %T ; name=B\nE 10000 %T ; name=B\nE 8%I %T.5 ; name=B\n" },
  { "C %I %T %E 0 1 ; name=Task_1\n", "C 8%I %T %E.5 0 1 ; name=B\nC 9%I %T %E 0 0.5 ; name=B\n" },
  { "C %I %T %E 0 1 ; name=Task_1\nC 9%I %T %E 0 1 ; name=Task_2\n", "C 8%I -%T %E 0 1 ; name=B\nC 7%I +%T %E 0 1 ; name=B\n" },
  { "C %I %T %E 0 1 ; name=Task_1\nE %I 5 1 ; name=Task_1\n", "" },
  { "C %I %L %M 0 1 ; name=Task_1\nE %I %L ; name=Task_1\n", "" },
  { "C %I%I %L%I %M%I 0 1 ; name=Task_1\n", "C %I%I%I %L %M 0 1 ; name=Task_1\nC 9%I %L%I%I %M%I%I 0 1 ; name=A\n" },
  { "C %I 12%T.%I 12%E.%I 0 1 ; name=Task_1\nE %I %T.0 ; name=Task_1\n", "C 8%I %T.%T%T %E.%T%T 0 1 ; name=B\n" },
  { "C %I 0.%I 1.%I 0 1 ; name=Task_1\nE %I .%I ; name=Task_1\nE 9%I 1. ; name=Task_1\n", "C 8.5 1..5 2 0 1 ; name=B\n" },
  { "C %I %T %E 0 1 ; name=Task_1\nC 9%I %T %E 0 2 ; name=Task_1\n", "C 8%I %T %E 0 0.%n ; name=B\n" },
  { "C %I %T %E 17 1 2 ; name=Task_1\n", "C 8%I %T %E 17 0 1.%n ; name=B\nC 7%I %T %E 17 2 63 ; name=B\n" },
  /* ids that are texts */
  { "C claim_%I %T %E 0 1 ; name=Task_1, id=%n\nE ev.%I %T ; name=Task_1, id=%n\n", "C claim_0%I %T %E 0 1 ; name=B\n" },
  { "C c%I_%i %T %E 0 1 ; name=A\nE %I_ %T ; name=A\n", "C c%I_0 %T %E 0 1 ; name=B\nC c%I_00 %T %E 0 1 ; name=B\n" },
  { "C 00%I %T %E 0 1 ; name=A\nE 0%I %T ; name=A\n", "C %I %T %E 0 1 ; name=B\nC 0%i %T %E 0 1 ; name=B\nC a%I %T %E 0 1 ; name=A\n" },
  { "C x%W %T %E 0 1 ; name=A\nC y0%W %T %E 0 1 ; name=A\n", "C x1%W %T %E 0 1 ; name=B\nC z%W0 %T %E 0 1 ; name=B\n" },
  { "C c%I %T %E 0 1 ; name=A\n", "C c10300 %T %E 0 1 ; name=B\n" },
  { "E e%I %T ; name=A\n", "E e1030%i %T ; name=B\n" },
  { "C %Ib%I %T %E 0 1 ; name=A\nD d%I 2 %Ib%I %Ib%I ; type=x\n", "D d%I_ 0 %Ib%I %Ib%Ix ; type=y\n" },
  /* stamps of 17 digits and more */
  { "C %i %W %X 0 1 ; name=Task_1, id=%n\nE %i %W ; name=Task_1, id=%n, event=activate\n", "" },
  { "C %I %W %X 0 1 ; name=Task_1, id=%n\r\nE %I %X ; name=Task_1\r\n", "C 7%I %X %W 0 1 ; name=B\n" },
  { "C\t%I\t%W  %X\t0\t1\t;\tname=Task_1,\tid=%n\nC%b8%I%b%W%b%X%b0%b1%b;%bname=A\n", "" },
  { "C %I%I %W %X 0 1 ; name=Task_1\nC %I%I%I %W %W 17 1 60 ; name=A\n", "C 8%I %W %X 17 4.25 60 ; name=B\n" },
  { "C %I %W %X 17 1 2 ; name=Task_1\nC %I000 %W %X 17 10 20 ; name=A\n", "C 8%I %W %X 17 3 ; name=B\nC 7%I %W %X 0 1 5 ; name=B\n" },
  { "C %I 12%L 12%M 0 1 ; name=Task_1\nC 9%I 1%L 12%M 0 1 ; name=A\n", "C 8%I 1234567%L 1234567%M 0 1 ; name=B\n" },
  { "C %I 00000000%L 0000000%M 0 1 ; name=Task_1\nE %I 0%X ; name=A\n", "C 8%I 000000000%L %X 0 1 ; name=B\n" },
  { "C %I -%W %X 0 1 ; name=Task_1\nC 9%I %W %X 0 1 ; name=Task_1\nE %I +%W ; name=E\nE 9%I -%W ; name=E\n", "" },
  { "C %I %W.0 %X.00 0 1 ; name=Task_1\nE %I %W. ; name=E\nC 9%I %W %X 0 1 ; name=A\n", "" },
  { "C %I %W %X 0 1 ; name=Task_1\n", "E %I %W.5 ; name=E\n" },
  { "C %I %W 2%X 0 1 ; name=Task_1\n", "" },
  { "E %I 2%W ; name=Task_1\n", "" },
  { "E %I %W ; name=Task_1\n", "E 9%I 18446744073709551617 ; name=Task_1\n" },
  { "E %I 00000000000000000%I ; name=Task_1\nC %I %W 184467440737095%I 0 1 ; name=Task_1\n", "" },
  { "C %I %W %X 0 1 ; name=Task_1\n", "C 0000000000000000%I %W 0 ; name=B\n" },
  { "C %I 0%W 0%X 0 1 ; name=Task_1\n", "C 8%I 00000000%W 00000000%X 0 1 ; name=B\n" },
  { "C %I 0000000%W 0000000%X 0 1 ; name=Task_1\n", "" },
  { "C %I 0000000%L 0000000%M 0 1 ; name=Task_1\n", "" },
  { "C %I 000%L000 000%M000 0 1 ; name=Task_1\n", "C 8%I %L0 0000000000000%M000 0 1 ; name=B\n" },
  { "C %I %W %X 0 1 ; name=Task_1\n", "C 0000000000000000000000000%I %W0000 ; name=B\n" },
  { "C %I %S %F 0 1 ; name=Task_1\n", "E 8%I 1.2.5 ; name=B\n" },
  { "C %I %S %F 0 1 ; name=Task_1, id=%n\nE %I %F ; name=Task_1, id=%n, event=activate\n", "" },
  { "C %I 0%S 0%F 0 1 ; name=Task_1\nE %I %F0 ; name=E\n", "C 8%I %S %F000 0 1 ; name=B\nC 9%I 1%n 2%T 0 1 ; name=A\n" },
  { "C %I 12%T.%I%I 12%E.%I 0 1.00 ; name=Task_1\nC 9%I 123456789%E 123456789%E.75 0 1 ; name=A\n", "C 8%I 1 2%F 0 1 ; name=B\n" },
  { "C %I %S %F 0 1 ; name=Task_1\n", "E %I %W ; name=E\n" },
  { "C %I 5 %X 0 1 ; name=Task_1\nC 9%I %W %X 0 1 ; name=A\n", "C 8%I .%W .%W 0 1 ; name=B\n" },
  /* lists that are not the same each time */
  { "C %I %T %E 0 1 ; name=A, id=%n, type=x\nC 9%I %T %E 0 1 ; type=x, name=A\nC 8%I %T %E 0 1 ; id=%n, pid=%n, name=A\n", "" },
  { "C %I %T %E 0 1 ; name=A, id=%n\n", "C 9%I %T %E 0 1 ; name=B,id=%n\nC 8%I %T %E 0 1 ; name=C,   id=%n,\ttype=x\n" },
  { "C %I %T %E 0 1 ; name=A, id=%n\n", "C 9%I %T %E 0 1 ; name=B, id=%n, id=1\nC 8%I %T %E 0 1 ; name=B, id=%n,\nC 7%I %T %E 0 1 ; name=B, \t\n" },
  { "C %I %T %E 0 1 ; name=A, id=%n\n", "C 9%I %T %E 0 1 ; name=B, id=\nC 8%I %T %E 0 1 ; name=\nC 7%I %T %E 0 1 ; =x, id=1\n" },
  { "C %I %T %E 0 1 ; name=A;B, id=%n;\n", "C 9%I %T %E 0 1 ; name=B, id\nC 8%I %T %E 0 1 ; name==, id=1\nC 7%I %T %E 0 1 ; , id=1\n" },
  { "C %I %T %E 0 1 ; k%n=1, name=A\nC 9%I %T %E 0 1 ; name=k%n, k%n=A, id=%n\nE %I %T ; k%n=x, name=A\n", "" },
  { "C %I %T %E 0 1 ; name=a_name_of_as_many_bytes_as_a_line_has_that_is_looked_at_at_once_%n_and_more, id=%n\n"
    "E %I %T ; a_key_of_as_many_bytes_as_a_line_has_that_is_looked_at_at_once_and_more=%n, name=b\n", "" },
  { "C %I %T %E 0 1 ;\nE %I %T ;\nE 9%I %T ;\t \nC 9%I %T %E 0 1 ;    \nC 8%I %T %E 0 1;\n", "" },
  { "C %I %T %E 0 1 ; name=Task_1\n", "C 9%I %T %E 0 1 ; name=B, id=7, id=8\n" },
  { "C %I %T %E 0 1 ; name=Task_1\nE %I %T ; k%I=1\n", "" },
  { "C %I %T %E 0 1 ; name=Task_1\n", "C 0%t %T %E 0 1 ; name=B\nC %t %T %E 0 1 ; name=B\n" },
  { "C %I %T %E 17 0 1 ; name=Task_1\nC 9%I %T %E 17 1 1.25 ; name=Task_1\n", "C 8%I %T %E 17 2 2.%n ; name=B\n" },
  { "C %I %T %E 0 1 ; name=A\n", "C 8%I.5 %T.0 %E.0 0 1 ; name=B\nD 7%I 0 8%I.5 8%I.5 ;\n" },
  /* without a list */
  { "C %I %T %E 0 1\nE %I %T\nD %I 0 %I %I\n", "C 9%I %T %E 0 1\r\nE 9%I %T\r\nD 9%I 0 %I 9%I\r\nD 8%I 4 9%I 9%I \r\n" },
  { "C %I %T %E 0 1 \nC a%I %T %E 0 5\nE %I %T \t\n", "C 9%I %T %E 0\nC 8%I %T %E 0 1\r\r\n" },
  /* what is escaped does not go on in the next line */
  { "C %I %T %E 0 1 ; name=A\\\nE %I %T ;\n", "C 9%I %T %E 0 1 ; x=1, name=A\\\r\nC 8%I %T %E 0 1;\nE 8%I %T ; x=\\\n" },
  { "C %I %T %E 0 1 ; name=A\\\\\nE %I %T ; name=A\\ \nE 9%I %T ; name=\\ A\\,\\=B\\\\, id=%n\n", "E 8%I %T ; name=A\\\r, id=1\n" },
  /* dependencies */
  { "C %I %T %E 0 1 ; name=A\nE %I %T ; name=A\nD %I 0 %I %I ; type=x\nD 9%I 6 %I %I ;type=y\nD 8%I 7 10001 %I;\n",
    "C 9%I %T %E 0 1 ; name=B\nD 7%I 2 %I 9%I ; type=x, type=y\nD 6%I\t3 \t%I 9%I ;\n" },
  { "C %I %T %E 0 1 ; name=A\nD %I 0 %I %I ; type=x\n", "D 0%I 0 %I %I ; type=x\nD 8%I 0 a%I 0%I ; type=x\nC a%I %T %E 0 1 ; name=A\n" },
  { "C %I %T %E 0 1 ; name=A\nD %I 0 %I %I ; type=x\n", "D 8%I 9 %I %I ; type=x\n" },
  { "C %I %T %E 0 1 ; name=A\nD %I 0 %I %I ; type=x\n", "D 10000 0 %I %I ; type=x\n" },
  { "C %I %T %E 0 1 ; name=A\nD %I 0 %I %I ; type=x\n", "D 7%I 0 %I %I\nD 8%I 0 %I ; type=x\n" },
};

/* One to four, and sometimes more than fit into eight bytes; mostly spaces. */
static void
append_blanks (GString *text, guint seed)
{
  guint random = (seed + 1) * 2654435761u >> 16, n = random % 8 < 6 ? 1 + random % 4 : random % 23;

  for (guint i = 0; i < MAX (n, 1); i++)
    g_string_append_c (text, (random >> 5) % 7 == i ? '\t' : ' ');
}

/* Time @ns since 1970, in seconds. */
static void
append_seconds (GString *text, guint64 ns)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT, ns / 1000000000, ns % 1000000000);
}

static void
append_lines (GString *text, const char *lines, guint number)
{
  guint64 wide = G_GUINT64_CONSTANT (1699999999000000000) + number * G_GUINT64_CONSTANT (37777777);
  guint64 later = wide + number % 90 * G_GUINT64_CONSTANT (9000000);

  for (; *lines != '\0'; lines++)
    if (*lines != '%')
      g_string_append_c (text, *lines);
    else
      switch (*++lines)
        {
        case 't':
          g_string_append_printf (text, "%u", number * 37);
          break;
        case 'e':
          g_string_append_printf (text, "%u", number * 37 + number % 90);
          break;
        case 'T':
          g_string_append_printf (text, "%u", 1000000 + number * 37);
          break;
        case 'E':
          g_string_append_printf (text, "%u", 1000000 + number * 37 + number % 90);
          break;
        case 'L':
          /* after some dozens of lines the first digits change */
          g_string_append_printf (text, "%" G_GUINT64_FORMAT, G_GUINT64_CONSTANT (12399998000) + number * 37);
          break;
        case 'M':
          g_string_append_printf (text, "%" G_GUINT64_FORMAT, G_GUINT64_CONSTANT (12399998000) + number * 37 + number % 90);
          break;
        case 'W':
          g_string_append_printf (text, "%" G_GUINT64_FORMAT, wide);
          break;
        case 'X':
          g_string_append_printf (text, "%" G_GUINT64_FORMAT, later);
          break;
        case 'S':
          append_seconds (text, wide);
          break;
        case 'F':
          append_seconds (text, later);
          break;
        case 'I':
          g_string_append_printf (text, "%u", 10000 + number);
          break;
        case 'b':
          append_blanks (text, (guint) text->len);
          break;
        case 'i':
          g_string_append_printf (text, "%u", number - 1);
          break;
        default:
          g_string_append_printf (text, "%u", number / 3);
        }
}

/* Lines near the end of a chunk are not read at once. */
static void
append_end (GString *text)
{
  for (guint i = 0; i < 20; i++)
    g_string_append (text, "# and that is all that there is of it\n");
}

static GString *
make_trace (guint layout, guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 1; i <= n; i++)
    {
      append_lines (text, layouts[layout].lines, i);
      if (i % 5 == 0)
        append_lines (text, layouts[layout].between, i);
    }
  append_end (text);
  return text;
}

START_TEST (every_layout_reads_as_any_line)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 40);

  for (gsize chunk = 384; chunk < 1200; chunk += 61)
    expect_the_same (text->str, text->len, chunk);
  expect_the_same (text->str, text->len, 0);
}
END_TEST

START_TEST (long_traces_read_as_any_line)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 500);

  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 4096);
}
END_TEST

START_TEST (a_trace_cut_anywhere_reads_as_any_line)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 30);

  for (gsize cut = strlen (HEAD); cut < text->len; cut += 17)
    expect_the_same (text->str, cut, 0);
}
END_TEST

/* One byte changed, to a NUL too, left out or doubled. */
static void
expect_the_same_when_changed (GRand *random, const GString *text)
{
  static const char   odd[] = ";,=\\\n\r \t.059-+e#aC\x80\xff";
  g_autoptr (GString) changed = change_byte (random, text->str, text->len, strlen (HEAD), odd, sizeof odd);

  expect_the_same (changed->str, changed->len, 0);
}

START_TEST (a_changed_byte_has_the_same_effect)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 300; n++)
    {
      /* long enough for lines to be like others */
      g_autoptr (GString) text = make_trace ((guint) g_rand_int_range (random, 0, G_N_ELEMENTS (layouts)), 12 + n % 40);

      expect_the_same_when_changed (random, text);
    }
}
END_TEST

/* Every length of a name and of numbers, with what was there before and what was not. */
START_TEST (names_and_numbers_of_any_length)
{
  static const char   letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789";
  static const char   alike[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  static const char   digits[] = "12345678901234567890";
  g_autoptr (GString) text = g_string_new (HEAD);
  int                 id = 0;

  for (int round = 0; round < 3; round++)
    for (int n = 1; n < 60; n++)
      {
        g_string_append_printf (text, "C %d %d %d 0 1 ; name=%.*s, id=%.*s\n", id++, n, n + 1, n, letters, n % 13, digits);
        g_string_append_printf (text, "C %d %d %d 0 1;type=x%.*s,pid=%d\n", id++, n, n + 1, 60 - n, letters + 3, n);
        g_string_append_printf (text, "C %d %d %d 0 1 ; name=%.*s\n", id++, n, n + 1, n, alike);
        g_string_append_printf (text, "C %d %.*s 123456789012345678 2 1 ; name=a\n", id++, n % 19, digits);
        g_string_append_printf (text, "E %d %.*s ; %.*s=a, name=b\n", id, n % 19, digits, n, letters);
      }
  for (gsize chunk = 0; chunk < 1200; chunk += 199)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* Keys, blanks and values as long as what is left of a line that is read at once, at the end of all that may be looked at; and
 * values that become longer than that. */
START_TEST (lists_that_reach_the_end)
{
  g_autofree char *keys = g_strnfill (880, 'k'), *blanks = g_strnfill (440, ' ');
  static const TsOptions by_name = { .element_key = NULL };

  for (int n = 300; n < 440; n++)
    for (int list = 0; list < 5; list++)
      {
        g_autoptr (GString) text = g_string_new (HEAD);

        for (int i = 0; i < 20; i++)
          {
            g_string_append_printf (text, "C %d %d %d 0 1 ; ", i, 1000 + i, 2000 + i);
            if (list == 0)
              g_string_append_printf (text, "%.*s=v\n", n, keys);
            else if (list == 1)
              g_string_append_printf (text, "name=A, %.*s=v\n", n, keys);
            else if (list == 2)
              g_string_append_printf (text, "name=%.*sv\n", n, blanks);
            else if (list == 3)
              g_string_append_printf (text, "name=A, text=%.*s, id=v\n", i < 15 ? 5 : 2 * n, keys);
            else
              g_string_append_printf (text, "name=A, id=%.*sv\n", n, blanks);
          }
        quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      }
}
END_TEST

/* Regular lines whose stamps have a point, in any place, or none. One has a digit more behind it, so that all are of finer
 * units from there on; the last ones have fewer. */
START_TEST (stamps_with_a_point_in_any_place)
{
  static const TsOptions by_name = { .element_key = NULL };

  for (int decimals = 0; decimals < 12; decimals++)
    for (int whole = 1; whole < 1000000; whole *= 10)
      {
        g_autoptr (GString) text = g_string_new (HEAD);

        for (int i = 0; i < 150; i++)
          {
            int  k = i == 50 ? decimals + 1 : i < 100 ? decimals : MAX (decimals - 1, 0), time = whole + i % 9 * whole;
            char point[2] = { k > 0 ? '.' : '\0' };

            g_string_append_printf (text, "C %d %d%s%.*s %d%s%.*s 0 1.0 ; name=A%d, id=%d\n", i, time, point, k, "135792468013",
                                    time, point, k, &"975311111111"[i % 2], i % 3, i);
            g_string_append_printf (text, "E %d %d%s%.*s ; name=B%d, id=%d\n", i, time, point, k, "864209753186", i % 3, i);
          }
        quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      }
}
END_TEST

/* Regular lines whose stamps have zeros behind all that they need. In one of them a digit is none, once in each place behind
 * the point, and in the last one of the others. */
START_TEST (stamps_with_zeros_at_the_end)
{
  static const TsOptions by_name = { .element_key = NULL };

  for (guint worth = 0; worth < 8; worth++)
    for (guint zeros = 1; zeros < 10; zeros++)
      for (guint place = 0; place < worth + zeros; place++)
        {
          g_autoptr (GString) text = g_string_new (HEAD);

          for (guint i = 0; i < 100; i++)
            {
              g_autofree char *fraction = g_strdup_printf ("%.*s%0*d", (int) worth, &"13579135"[i % 5], (int) zeros, 0);

              if (i == 70)
                fraction[place] = '8';
              g_string_append_printf (text, "C %u %u.%s 9%u.%s 0 1.0 ; name=A%u\n", 100 + i, 100 + i, i % 2 ? fraction : "0",
                                      100 + i, fraction, i % 3);
              if (i == 70)
                fraction[worth + zeros - 1] = '4';
              g_string_append_printf (text, "E %u %u.%s ; name=B%u\n", 100 + i, 100 + i, fraction, i % 3);
            }
          quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
        }
}
END_TEST

/* One byte of a line like those before is another one, in each place up to the last stamp; heads of three lengths. */
START_TEST (heads_that_differ_in_one_byte)
{
  static const TsOptions by_name = { .element_key = NULL };
  static const char      others[] = "/0:9.- x;\n";
  static const char     *heads[] = { "C %I %T %E", "C %I%I %L%I %M%I", "C %I%I %W %X" };

  for (gsize head = 0; head < G_N_ELEMENTS (heads); head++)
    for (gsize place = 0; place < 60; place++)
      for (const char *other = others; *other != '\0'; other++)
        {
          g_autoptr (GString) text = g_string_new (HEAD);

          for (guint i = 1; i < 30; i++)
            {
              gsize begin = text->len;

              append_lines (text, heads[head], i);
              if (i == 20 && begin + place < text->len)
                text->str[begin + place] = *other;
              g_string_append (text, " 0 1 ; name=Task_1, id=5\n");
            }
          append_end (text);
          quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
        }
}
END_TEST

/* Regular lines whose stamps get one more digit, in whatever units, and some of them before others. */
START_TEST (stamps_that_grow)
{
  static const TsOptions by_name = { .element_key = NULL };
  guint64                edge = 1000000;

  for (int n = 7; n < 20; n++, edge *= 10)
    for (int decimals = 0; decimals < 3; decimals++)
      {
        g_autoptr (GString) text = g_string_new (HEAD);
        char                point[] = { '.', "05"[decimals / 2], '\0' };

        for (guint i = 0; i < 200; i++)
          {
            guint64 time = edge - 300 + 3 * i, start = time - i % 7 * (edge / 100);

            g_string_append_printf (text, "C %u %" G_GUINT64_FORMAT "%s %" G_GUINT64_FORMAT "%s 0 1 ; name=A%u\n", 1000 + i, start,
                                    decimals > 0 ? point : "", time, decimals > 0 ? point : "", i % 3);
            g_string_append_printf (text, "E %u %" G_GUINT64_FORMAT " ; name=B%u\n", 1000 + i, time, i % 3);
          }
        quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      }
}
END_TEST

/* One more each line, up to 2^61 = 2305843009213693952, which is the last that is good; in units of 10^-k. */
START_TEST (stamps_up_to_the_last_that_can_be_kept)
{
  static const TsOptions by_name = { .element_key = NULL };
  gint64                 last = G_GINT64_CONSTANT (1) << 61;

  for (int is_claim = 0; is_claim < 2; is_claim++)
    for (int k = 0; k < 18; k++)
      {
        g_autoptr (GString)    text = g_string_new (HEAD);
        g_autoptr (EtfReading) reading = NULL;
        g_autofree char       *expected = NULL, *digits = NULL;

        for (int i = -399; i <= 1; i++)
          {
            g_autofree char *stamp = g_strdup_printf ("%" G_GINT64_FORMAT, last + i);
            GString         *number = g_string_new (stamp);

            if (k > 0)
              g_string_insert_c (number, (gssize) number->len - k, '.');
            if (is_claim)
              g_string_append_printf (text, "C %d %s %s 0 1 ; name=A\n", i + 5000, number->str, number->str);
            else
              g_string_append_printf (text, "E %d %s ; name=A\n", i + 5000, number->str);
            g_free (digits);
            digits = g_string_free (number, FALSE);
            if (i == 0)
              {
                /* all stamps so far, to the last digit */
                g_autoptr (EtfReading) good = etf_reading_new (text->str, (gssize) text->len, 0, &by_name);

                ck_assert_ptr_null (good->error);
                ck_assert_int_eq (g_array_index (good->events, TsEvent, 0).time, last - 399);
                ck_assert_int_eq (g_array_index (good->events, TsEvent, good->events->len - 1).time, last);
              }
          }
        /* four lines of the head, and 400 that are good */
        append_end (text);
        expected = g_strdup_printf ("x.etf:405: time `%s' is too large, or has too many decimals, to be kept exactly with the"
                                    " others", digits);
        reading = etf_reading_new (text->str, (gssize) text->len, 0, &by_name);
        ck_assert_ptr_nonnull (reading->error);
        ck_assert_str_eq (reading->error->message, expected);
        quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      }
}
END_TEST

/* Regular lines with one list, then with others, in turn, and with one again; keys and values of many lengths. */
START_TEST (lists_that_change)
{
  static const TsOptions by_name = { .element_key = NULL };
  static const TsOptions by_all = { .element_key = (char *) "name,b", .instance_key = (char *) "id",
                                    .object_key = (char *) "key" };
  g_autofree char       *keys = g_strnfill (48, 'k'), *values = g_strnfill (90, 'v');

  for (int n = 1; n < 48; n++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);

      for (int i = 0; i < 400; i++)
        {
          int list = i < 100 ? 0 : i < 300 ? i % 7 : 3;

          g_string_append_printf (text, "C %d %d %d 0 1 ; ", i, 1000 + i, 2000 + i);
          if (list == 0)
            g_string_append_printf (text, "name=A, %.*s=%.*s, id=%d\n", n, keys, 2 * n, values, i % 5);
          else if (list == 1)
            g_string_append_printf (text, "id=%d, name=%.*s\n", i % 5, n, values);
          else if (list == 2)
            g_string_append_printf (text, "name=%.*s, b=%d,key=o%d\n", n, values, i % 2, i % 11);
          else if (list == 3)
            g_string_append_printf (text, "name=C, b=1, key=, %.*s=, id=%d\r\n", n, keys, i % 5);
          else if (list == 4)
            g_string_append_printf (text, "name=C ,%*s id=%d, id=%d\n", n, "", i % 5, i % 3);
          else if (list == 5)
            g_string_append_printf (text, "name=C, b=x\\,%.*s=y, id=%d\n", n, keys, i);
          else
            g_string_append_printf (text, "name=C, b=x=y, id=%d\n", i);
        }
      quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      quick_etf_expect_the_same (text->str, text->len, 0, &by_all);
    }
}
END_TEST

/* Regular lines with few attributes to many; what is asked for comes first, last, or is far apart. */
START_TEST (lists_of_any_length)
{
  static const TsOptions by_all = { .element_key = (char *) "name,x1,x9,x17", .instance_key = (char *) "id" };

  for (int n = 0; n < 22; n++)
    for (guint order = 0; order < 2; order++)
      {
        g_autoptr (GString) text = g_string_new (HEAD);

        for (int i = 0; i < 100; i++)
          {
            g_string_append_printf (text, "C %d %d %d 0 1 ; %s", i, 1000 + i, 2000 + i, order == 0 ? "name=A, " : "");
            for (int k = 0; k < n; k++)
              g_string_append_printf (text, "x%d=%d, ", k, (i + k) % 3);
            g_string_append_printf (text, "id=%d%s\n", i % 5, order == 0 ? "" : ", name=B");
          }
        expect_the_same (text->str, text->len, 0);
        quick_etf_expect_the_same (text->str, text->len, 0, &by_all);
      }
}
END_TEST

/* More names than have a place of their own, which differ in their middle only. */
START_TEST (names_without_end)
{
  static const TsOptions by_name = { .element_key = NULL };
  g_autoptr (GString) text = g_string_new (HEAD);

  for (int round = 0; round < 2; round++)
    for (int n = 0; n < 33000; n++)
      g_string_append_printf (text, "C %d %d %d 0 1 ; name=beginning%05d_at_the_end\n", n + 33000 * round, n, n + 1, n);
  quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-scan");
  TCase *tcase = tcase_create ("lines");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, every_layout_reads_as_any_line, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, long_traces_read_as_any_line, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, a_trace_cut_anywhere_reads_as_any_line, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, a_changed_byte_has_the_same_effect, 0, 5);
  tcase_add_test (tcase, names_and_numbers_of_any_length);
  tcase_add_test (tcase, lists_that_reach_the_end);
  tcase_add_test (tcase, stamps_with_a_point_in_any_place);
  tcase_add_test (tcase, stamps_with_zeros_at_the_end);
  tcase_add_test (tcase, heads_that_differ_in_one_byte);
  tcase_add_test (tcase, stamps_that_grow);
  tcase_add_test (tcase, stamps_up_to_the_last_that_can_be_kept);
  tcase_add_test (tcase, lists_that_change);
  tcase_add_test (tcase, lists_of_any_length);
  tcase_add_test (tcase, names_without_end);
  return unit_run (suite);
}
