/* SPDX-License-Identifier: MIT */
#pragma once

/* A small system, for traces in which it makes no difference: a task A and an ISR B. */

/* clang-format off */
#define SYSTEM(base) \
  "<SystemConfiguration Name='S'><Resource ID='33'><SystemElement Name='A' ID='1' Type='task'/>" \
  "<SystemElement Name='B' ID='2' Type='isr'/></Resource><EventIDMappings>" \
  "<EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>" \
  "<EventIDMapping EventID='11' EventType='error'/><EventIDMapping EventID='5' EventType='user'/>" \
  "</EventIDMappings>" base "</SystemConfiguration>\n"
#define US "<TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase>"
/* clang-format on */
