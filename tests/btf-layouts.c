/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "btf-layouts.h"

/* A few lines in a layout, %t being the time and %n the number of the instance; and what stands after every fifth. */
static const struct
{
  const char *lines;
  const char *between;
} layouts[] = {
  { "%t,STI_1,%n,STI,STI_1,%n,trigger\n%t,STI_1,%n,T,Task_1,%n,activate\n%t,Core_1,0,T,Task_1,%n,start\n"
    "%t,Task_1,%n,R,Runnable_one,%n,start\n%t,Task_1,%n,SIG,Signal,0,write,17\n%t,Task_1,%n,R,Runnable_one,%n,terminate\n"
    "%t,Core_1,0,T,Task_1,%n,terminate\n", "" },
  { "%t, Core_1, 0, T, Task_1, %n, start\n%t, Task_1, %n, R, Runnable, %n, start\n", "" },
  { "%t ,Core_1 , 0 , T ,  Task_1 , %n , start \n%t\t,\tTask_1,%n,R,Runnable,\t%n\t,start\t\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\r\n%t,Core_1,0,T,Task_1,%n,terminate\r\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\n%t,Core_1,0,T,Task_1,%n,start\r\n", "%t,Core_1,0,T,Task_1,%n,start\r,\n" },
  { "%t,Core_1,0,T,Task_1,%n,preempt,\n%t,Core_1,0,T,Task_1,%n,resume,\r\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,preempt\n", "%t,Core_1,0,T,Task_1,%n,preempt,create pri:1\n" },
  { "%t,Core_1,0,T,Task_1,%n,preempt,create pri:1\n", "1x0,Core_1,0,T,Task_1,0,preempt,\n" },
  { "%t,Core_1,0,T,Task_1,%n,preempt,create pri:1\n", "%t,Core_1,0,T,Task_1,x,preempt,\n" },
  { "%t,Task_1,%n,R,Run,%n,suspend,create pri:1\n", "1x0,Task_1,0,R,Run,0,suspend,\n" },
  { "%t,Core_1,0,T,Task_1,%n,preempt,create\n%t,Core_1,0,T,Task_1,%n,preempt,\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start,a note, with, commas,,\n%t,Core_1,0,T,Task_1,%n,start,\n", "" },
  { "%t,Core_1,0,T,Task_1,,start\n%t,Task_1,,R,Runnable,,start\n", "" },
  { "%t,Core_1,0,T,Task_1,-1,start\n%t,Task_1,-1,R,Runnable, -1 ,start\n%t,SIM,-1,SCHED,S,-1,schedule\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "%t,Core_1,0,T,Task_1,-2,start\n%t,Core_1,0,T,Task_1,x,start\n%t,Task_1,-3,R,Run,1,start\n" },
  { "%t,Task_1,%n,R,Run,%n,start\n", "%t,Task_1,x,R,Run,%n,start\n%t,Task_1, 7,R,Run,%n,start\n%t,Task_1,99999999999,R,Run,3,start\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "# a comment,with,seven,commas,in,it,and,more\n\n \n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "#timeScale us\n%t,Core_1,0,T,Task_1,%n,start\n#timeScale ns\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "#timeScale s\n%t,Core_1,0,T,Task_1,%n,start\n2305843010,Core_1,0,T,Task_1,%n,start\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\r\r\n%t,Core_1,0,T,Task_1,%n,jump\r\n", "" },
  { "%t,Core_1,0,T,1,%n,start\n%t,1,0,R,2,0,start\n", "#entityTable\n#-1 Task_one\n#-2 Two\n" },
  { "%t,Core_1,0,7,1,%n,start\n", "#typeTable\n#-7 T\n" },
  { "%t,Core_1,0,7,1,%n,start\n", "#typeMapping 7 R\n#entityMapping 1 Other\n#typeMapping 7 T\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n%t,SIM,-1,SYS,SYSTEM,0,stop\n", "%t,SIM,-1,SYS,SYSTEM,0,start\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "%t,Core_1,0,T,Task_1,%n\n%t,Core_1,0\n,,,,,,,\n%t,,,,,,\nwords\n" },
  { "%t,Core_1,0,T,Task_1,%n,read\n%t,Core_1,0,T,Task_1,%n,jump\n%t,Core_1,0,Q,Task_1,%n,start\n", "" },
  { "%t,[0/0001]Run,0,T,[0/0002]Other,0,resume,\n%t,[0/0002]Other,0,T,[0/0002]Other,0,preempt,\n", "" },
  /* a task that migrates, and who follows it where it was */
  { "%t,Core_0,0,T,[0/0001]Run,0,preempt,\n%t,[1/0002]Other,0,T,[1/0001]Run,0,resume,\n"
    "%t,[0/0001]Run,0,T,[0/0003]Third,0,resume,\n%t,Core_0,0,T,[0/0003]Third,0,preempt,\n",
    "%t,[0/0003]Third,0,T,[0/0001]Run,0,resume,\n%t,Core_1,0,T,[1/0001]Run,0,preempt,\n" },
  { "%t,Core_0,0,STI,interval_start,0,trigger,1 tid:1\n%t,Core_0,0,STI,interval_stop,0,trigger,1 tid:1\n", "" },
  { "%t,Core_0,0,STI,interval_start,0,trigger,1 tid:1\n%t,Core_0,0,STI,interval_start,0,trigger,22 tid:14\n"
    "%t,Core_0,0,STI,interval_stop,0,trigger,1 tid:1\n%t,Core_1,0,STI,interval_stop,0,trigger,22 tid:14\n",
    "%t,Core_0,0,STI,interval_start,0,trigger,3 tid:%n\n%t,Core_0,0,STI,interval_start,0,trigger,\n"
    "%t,Core_0,0,STI,interval_stop,0,trigger, 1 tid:1 \r\n%t,Core_0,0,STI,interval_stop,0,trigger,1,2,,3\n"
    "%t,Core_0,0,STI,interval_start,0,jump,1 tid:1\n%t,Core_0,x,STI,interval_stop,y,trigger,1 tid:1\n" },
  { "%t,Core_0,0,STI,5,0,trigger,1\n%t,Core_0,0,STI,interval_stop,0,trigger,1\n%t,A,0,STI,6,0,trigger,1\n",
    "#entityMapping 5 interval_start\n#entityMapping 6 interval_stop\n" },
  { "%t,Core_0,0,STI,interval_start,0,trigger\n%t,Core_9,-1,SIM,SIM,-1,tag,CORE_INIT\n%t,Core_9,-1,SIM,SIM,-1,tag\n", "" },
  { "%t,,0,T,Task_1,%n,start\n%t,Task_1,0,T,Task_2,%n,activate\n%t,Task_9,0,T,Task_2,%n,activate\n", "%t,Core_1,0,T,Task_9,1,start\n" },
  /* a runnable that becomes a task too: what runs it is no longer where it was last */
  { "%t,Core_1,0,T,Task_1,%n,start\n%t,Task_1,%n,R,Both,%n,start\n%t,Task_1,%n,R,Both,%n,terminate\n",
    "%t,Core_2,0,T,Both,%n,start\n%t,Task_1,%n,R,Both,%n,start\n%t,,0,T,Both,%n,preempt\n" },
  { "%t,A,0,T,B,%n,start\n%t,A,0,T,B,%n,terminate\n", "%t,A,0\n,T,B,%n,start\n" },
  { "%t,A,0,T,B,%n,START\n%t,A,0,ISR,C,%n,Start\n%t,A,0,isr,C,%n,start\n", "" },
  { "0%t,Core_1,0,T,Task_1,0%n,start\n-%t,Core_1,0,T,Task_1,%n,start\n", "+%t,Core_1,0,T,Task_1,+%n,start\n" },
  { "123456789%t,Core_1,0,T,Task_1,12345%n,start\n", "-012345678,Core_1,0,T,Task_1,1,start\n1234567-12345678,Core_1,0,T,Task_1,1,start\n" },
  { "144000000000000%t,Core_1,0,T,Task_1,99999%n,start\n", "1440000000000000%t,Core_1,0,T,Task_1,999999999%n,start\n" },
  { "%t,A_core_with_a_rather_long_name,0,T,A_task_with_a_name_that_is_longer_than_two_times_sixteen,%n,start\n"
    "%t,A_core_with_a_rather_lang_name,0,T,A_task_with_a_name_that_is_langer_than_two_times_sixteen,%n,start\n"
    "%t,B_core_with_a_rather_long_name,0,T,B_task_with_a_name_that_is_longer_than_two_times_sixteen,%n,start\n", "" },
  /* texts of 64 bytes and one more, lines over two blocks and three */
  { "%t,A_task_that_runs_what_has_names_of_many_bytes_47,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,B_task_that_runs_what_has_names_of_many_bytes_47,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,A_task_that_runs_what_has_names_of_many_bytes_47,%n,R,B_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,suspend\n"
    "%t,A_task_that_runs_what_has_names_of_many_bytes_47,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas12,%n,resume\n"
    "%t,A_task_that_runs_what_has_names_of_many_bytes_47,%n,R,B_runnable_whose_text_has_64_bytes_with_its_type_and_commas12,%n,terminate\n", "" },
  { "%t,A_task_whose_text_has_as_many_bytes_with_the_commas_around_it_,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,B_task_whose_text_has_as_many_bytes_with_the_commas_around_it_,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,A_task_whose_text_has_as_many_bytes_with_the_commas_around_it_,%n,R,B_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,suspend\n", "" },
  { "%t,A_task_whose_text_has_as_many_bytes_with_the_commas_around_it_3,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,B_task_whose_text_has_as_many_bytes_with_the_commas_around_it_3,%n,R,A_runnable_whose_text_has_64_bytes_with_its_type_and_commas1,%n,start\n"
    "%t,A_task_whose_text_has_as_many_bytes_with_the_commas_around_it_3,%n,R,B_runnable_whose_text_has_64_bytes_with_its_type_and_commas12,%n,terminate,a note\n", "" },
  { "%t, A_task_that_runs_what_has_names_of_many_bytes, %n , R,  A_runnable_with_a_long_name_and_blanks, %n, start\n"
    "%t, A_task_that_runs_what_has_names_of_many_bytes, %n, R, B_runnable_with_a_long_name_and_blanks, %n, start\n", "" },
  /* and what is kept of them where there are blanks: 16 bytes and 48, types of 16 and 32 */
  { "%t, A_task_of_fiftn, %n,R, A_runnable_of_f,   %n, start\n%t,B_task_of_fiftn, %n,R,B_runnable_of_f,%n, start\n"
    "%t,A_task_of_sixteen,%n, R,A_runnable_of_s, %n,terminate\n%t, A_task_of_sixteen,%n,   R,  B_runnable_of_s,%n,start\n",
    "" },
  { "%t,  A_task_of_47_bytes_which_is_as_much_as_can_be_k,%n,R, A_task,%n,  start\n"
    "%t, AA_task_of_47_bytes_which_is_as_much_as_can_be_k,%n, R,A_task,  %n,terminate\n"
    "%t,B_task_of_47_bytes_which_is_as_much_as_can_be_k,%n,  R,A task, %n,start\n"
    "%t, A_task_of_47_bytes_which_is_as_much_as_can_be_k, %n,R,A  task, %n,start\n", "" },
  { "%t, Core_1,0, A_type_of_15_by, X,%n, start\n%t,Core_1,0,A_type_of_16_byt,X,%n, start\n"
    "%t,  Core_1,0,B_type_of_16_byt,X, %n,start\n%t,Core_1, 0,A_type_of_31_bytes_and_one_more, X,%n,start\n", "" },
  { "%t,           Core_1,                0,                T,           Task_1,               %n,            start\n"
    "%t,           Task_1,               %n,                R,          Runnable,               %n,        terminate\n",
    "%t,           Task_1,               %n,   A_long_type  R,          Runnable,               %n,        terminate\n" },
  /* notes that end as events do */
  { "%t,Core_1,0,C,Core_1,0,idle_execution\n%t,Core_1,0,C,Core_1,0,set_frequency\n", "%t,Core_1,0,C,Core_1,0,set_frequency,idle_execution\n" },
  { "%t,Core_1,0,T,Task_1,%n,preempt\r\n%t,Core_1,0,T,Task_1,%n,mpalimitexceed\r\n%t,Core_1,0,T,Task_1,%n,boundedmigrat\r\n",
    "%t,Core_1,0,T,Task_1,%n,preempt,boundedmigrat\r\n%t,Core_1,0,T,Task_1,%n,preempt,mpalimitexceed\r\n" },
  { "%t, Core_1, 0, T, Task_1, %n, preempt\r\n%t, Core_1, 0, T, Task_1, %n, poll_parking\r\n",
    "%t, Core_1, 0, T, Task_1, %n, preempt, poll_parking\r\n" },
  { "%t,Core_1,0,T,Task_1,%n,start,a note that goes on and on and on and on and on and on and on and on and on and on\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\r\n%t,Task_1,%n,SIG,Signal,0,write,17\r\n%t,Core_1,0,T,Task_1,%n,preempt,\r\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\r\n", "%t,Core_1,0,T,Task_1,%n,start\rx\n%t,Core_1,0,T,Task_1,%n,start\rx\r\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\r\n", "%t,Core_1,0,T,Task_1,%n,start\r\r\n%t,Core_1,0,T,Task_1,%n,start \r\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "%t,Core_1,0,T,Task_1,%n,start\r\n%t,Core_1,0,T,Task_1,%n,start \n" },
  { "%t,Core 1,0,T,Task (one),%n,start\n%t,Task (one),%n,R,Run+1,%n,start\n%t,Task (one),%n,R,Run+2,%n,start\n", "" },
  { "%t,Core_1,0,T,Task_\xc3\xa4,%n,start\n%t,Core_1,0,T,Task_\xc3\xb6,%n,start\n", "" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "%t,Core_1(%n,T,Task_1,%n,start\n%t,Core_1,0,T,Task_1(%n,start\n%t(Core_1,0,T,Task_1,%n,start\n" },
  { "%t,Core_1,0,T,Task_1,%n,start\n", "%t,Core_1,0(T,Task_1,%n,start\n%t,Core_1,0,T,Task_1,%n(start\n%t,Core_1,0,T(Task_1,%n,start\n" },
  { "%t,Core_1,-1,T,Task_1,%n,resume,0\n%t,Task_1,,R,Run,%n,start,0\n%t,Core_1,x,T,Task_1,%n,preempt,0\n",
    "%t,Core_1,-1,T,Task_1,%n,preempt, delete\n%t,Core_1,-1,T,Task_1,,preempt,tick\n%t,,,T,Task_1,,preempt,\tTASK_CREATE\n" },
  { "%t,Core_1,-1,T,Task_1,%n,start\n%t,Task_1,%n,R,Run,,start\n%t,Task_1,-1,R,Run,%n,terminate\n",
    "%t,Core_1,\n,T,Task_1,%n,start\n%t,Core_1,-1,T,Task_1,123456789,start\n%t,Task_1,123456789,R,Run,%n,start\n" },
  { "%t,Core_1,                                                                      0,T,Task_1,%n,start\n"
    "%t,Core_1,0,T,Task_1,                                                             %n                    ,start\n", "" },
};

const guint btf_n_layouts = G_N_ELEMENTS (layouts);

static void
append_lines (GString *text, const char *lines, guint number)
{
  for (; *lines != '\0'; lines++)
    if (g_str_has_prefix (lines, "%t") || g_str_has_prefix (lines, "%n"))
      g_string_append_printf (text, "%u", *++lines == 't' ? number * 37 : number / 3);
    else
      g_string_append_c (text, *lines);
}

void
btf_append_layout (GString *text, guint layout, guint n)
{
  for (guint i = 1; i <= n; i++)
    {
      append_lines (text, layouts[layout].lines, i);
      if (i % 5 == 0)
        append_lines (text, layouts[layout].between, i);
    }
}
