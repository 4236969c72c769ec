# SPDX-License-Identifier: MIT
"""`make bench-growth': what an event costs as systems, calls and recordings grow. It should cost the same."""
import os

import measure

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
EVENTS = int(os.environ.get("BENCH_EVENTS", "1000000"))


def cost(traces):
    """Seconds of CPU, and MB, of tracestat on each of some traces that are run in turn. The fewest seconds, since there
    is nothing beside to compare them with, and a busy machine only adds to them."""
    commands = {trace.path: [measure.TRACESTAT, trace.path] for trace in traces}
    costs = measure.run_in_turn(commands, ROUNDS)
    return ([min(one.cpu for one in costs[trace.path]) for trace in traces],
            [max(one.peak for one in costs[trace.path]) for trace in traces])


def elements(kind):
    """A long trace less a short one gives the event; what is left of the short one is the price of the start and of
    elements, of which each must have been seen in the short one."""
    rows = []
    for n in (10, 100, 1000, 10000, 100000):
        tasks = min(max(n // 10, 1), 100)
        options = ["--cores", "1", "--isrs", "0", "--tasks", str(tasks), "--runnables", str(n // tasks - 1),
                   "--base-period", "1000000"]
        events = max(EVENTS, 40 * n)
        short = measure.Trace(f"elements-{n}-short", kind, events // 2, options)
        long = measure.Trace(f"elements-{n}", kind, events, options)
        cpu, peak = cost([short, long])
        event = (cpu[1] - cpu[0]) / (long.events - short.events)
        rows.append([f"{n:,}", f"{long.events:,}", event * 1e9, (cpu[0] - event * short.events) * 1e3, cpu[1], peak[1]])
    measure.print_table(f"{kind}: elements",
                        ["elements", "events", "ns/event", "ms besides", "s in all", "peak MB"], rows)


def depth(kind):
    """Functions that call themselves."""
    rows = []
    for n in (1, 10, 100, 1000):
        trace = measure.Trace(f"depth-{n}", kind, EVENTS, ["--tasks", "4", "--isrs", "0", "--depth", str(n),
                                                           "--base-period", "100000"])
        cpu, peak = cost([trace])
        rows.append([f"{n:,}", cpu[0] * 1e9 / trace.events, peak[0]])
    measure.print_table(f"{kind}: depth of calls, {EVENTS:,} events", ["depth", "ns/event", "peak MB"], rows)


class Written:
    """A trace in BTF, event by event."""

    def __init__(self, name):
        self.path = os.path.join(measure.FOLDER, f"{name}.btf")
        self.events = 0
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("#version 2.2.0\n#timeScale ns\n")
            self.write(file)

    def add(self, file, source, target, words):
        for word in words:
            self.events += 1
            file.write(f"{10 * self.events},{source},{target},{word}\n")


class Waiting(Written):
    """So many instances of one task wait at a time, and the one that waits longest ends first."""

    def __init__(self, n_open):
        self.n_open = n_open
        super().__init__(f"open-{n_open}")

    def write(self, file):
        for number in range(EVENTS // 6):
            self.add(file, "Core_1,0", f"T,Task_1,{number}", ("activate", "start", "wait"))
            if number >= self.n_open:
                self.add(file, "Core_1,0", f"T,Task_1,{number - self.n_open}", ("release", "resume", "terminate"))


class Preempted(Written):
    """A task that never ends is preempted all the time, while so many of its functions are open."""

    def __init__(self, n_open):
        self.n_open = n_open
        super().__init__(f"preempted-{n_open}")

    def write(self, file):
        task, caller = "T,Task_1,0", "Task_1,0"
        self.add(file, "Core_1,0", task, ("activate", "start"))
        for number in range(self.n_open):
            self.add(file, caller, f"R,Function_{number % 10},{number}", ("start",))
        for number in range(self.n_open, self.n_open + EVENTS // 4):
            function = f"R,Function_{number % 10},{number}"
            self.add(file, caller, function, ("start",))
            self.add(file, "Core_1,0", task, ("preempt", "resume"))
            self.add(file, caller, function, ("terminate",))


class Overlapping(Written):
    """So many functions of a task are open at a time, and the one that began first ends first."""

    def __init__(self, n_open):
        self.n_open = n_open
        super().__init__(f"overlapping-{n_open}")

    def write(self, file):
        self.add(file, "Core_1,0", "T,Task_1,0", ("activate", "start"))
        for number in range(EVENTS // 2):
            self.add(file, "Task_1,0", f"R,Function_{number % 10},{number}", ("start",))
            if number >= self.n_open:
                before = number - self.n_open
                self.add(file, "Task_1,0", f"R,Function_{before % 10},{before}", ("terminate",))


def open_at_a_time(title, kind):
    rows = []
    for n in (1, 10, 100, 1000, 10000):
        trace = kind(n)
        cpu, peak = cost([trace])
        rows.append([f"{n:,}", f"{trace.events:,}", cpu[0] * 1e9 / trace.events, peak[0]])
    measure.print_table(f"btf: {title}", ["open at a time", "events", "ns/event", "peak MB"], rows)


def sections(kind, title, options):
    """More and more recordings in a trace."""
    rows = []
    for n in (1, 10, 100, 1000, 10000):
        trace = measure.Trace(f"sections-{title.replace(' ', '-').replace(',', '')}-{n}", kind, EVENTS, options + ["--sections", str(n)])
        cpu, peak = cost([trace])
        rows.append([f"{n:,}", f"{trace.events:,}", cpu[0] * 1e9 / trace.events, cpu[0], peak[0]])
    measure.print_table(f"{kind}: sections of {title}", ["sections", "events", "ns/event", "s in all", "peak MB"], rows)


for each in ("atf", "btf"):
    elements(each)
    depth(each)
open_at_a_time("instances of a task that wait, and end oldest first", Waiting)
open_at_a_time("functions of a task that is preempted", Preempted)
open_at_a_time("functions that end oldest first", Overlapping)
sections("atf", "two cores", ["--shape", "two-core"])
# most of them have no event in a short section
sections("atf", "5,000 elements", ["--cores", "1", "--isrs", "0", "--tasks", "100", "--runnables", "49",
                                   "--base-period", "1000000"])
