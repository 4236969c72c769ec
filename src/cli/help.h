/* SPDX-License-Identifier: MIT */
#pragma once

extern const char help_text[];
