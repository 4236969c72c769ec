# SPDX-License-Identifier: MIT
"""`make bench': the speed of tracestat beside that of others, as ratios of runs that stood side by side."""
import os
import sys

import measure
from measure import median, ratio
from opponents import check, opponents

MEGABYTES = float(os.environ.get("BENCH_MB", "100"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SLOW_MEGABYTES = min(10.0, MEGABYTES)

# a system as in practice, and larger ones; TRACE has tasks and ISRs only, so these must be the elements
SHAPES = {"two-core": "", "many-elements": ", 2,500 elements", "many-cores": ", 10,600 elements on 16 cores"}
LARGE = ["--tasks", "500", "--isrs", "100", "--runnables", "20", "--base-period", "100000"]
OPTIONS = {("etf", "two-core"): ["--runnables", "0", "--functions", "0"],
           ("etf", "many-elements"): ["--runnables", "0", "--functions", "0", "--tasks", "2500",
                                      "--base-period", "100000"],
           ("etf", "many-cores"): [*LARGE, "--tasks", "10500", "--runnables", "0", "--functions", "0"],
           ("atf", "many-cores"): LARGE, ("btf", "many-cores"): LARGE}
COLUMNS = ["", "MB", "CPU: ns/event", "MB/s", "x wc", "x tracestat", "wall: x tracestat", "peak MB"]


def shapes_of(kind):
    return {"two-core": ""} if measure.is_visandor(kind) else SHAPES


def trace_of(kind, shape, megabytes):
    """A trace of about so many MB."""
    return measure.trace_of_size(kind, megabytes, shape, OPTIONS.get((kind, shape), ()))


def compare(kind, shape):
    """One row for each program on a trace of one format."""
    trace = trace_of(kind, shape, MEGABYTES)
    small = trace_of(kind, shape, SLOW_MEGABYTES)
    commands = {"wc -l": ["wc", "-l", trace.path], "tracestat": [measure.TRACESTAT, trace.path],
                "tracestat -f csv": [measure.TRACESTAT, "-f", "csv", trace.path],
                "tracestat -j 2": [measure.TRACESTAT, "-j", "2", trace.path]}
    traces = {name: trace for name in commands}
    absent = []
    for one in opponents(kind) if shape == "two-core" else []:
        if not one.present:
            absent.append(one.name)
            continue
        if one.checked:
            check(one, small.path)
        traces[one.name] = small if one.slow else trace
        commands[one.name] = one.command + [traces[one.name].path]

    costs = measure.run_in_turn(commands, ROUNDS)
    rows = []
    for name, runs in costs.items():
        # programs that got the smaller trace are compared by the megabyte
        scale = trace.megabytes / traces[name].megabytes
        cpu = median([cost.cpu for cost in runs])
        rows.append([name, traces[name].megabytes, cpu * 1e9 / traces[name].events, traces[name].megabytes / cpu,
                     scale * ratio(runs, costs["wc -l"]), scale * ratio(runs, costs["tracestat"]),
                     scale * ratio(runs, costs["tracestat"], "wall"),
                     max(cost.peak for cost in runs)])
    measure.print_table(f"{kind}{SHAPES[shape]}: {trace.events:,} events", COLUMNS, rows)
    for name in absent:
        print(f"  {name}: not installed, skipped")


def stages(kinds):
    """Nanoseconds an event of each stage, each less the one before."""
    names = ["parse", "timeline", "statistics", "report"]
    rows = []
    for kind in kinds:
        trace = trace_of(kind, "two-core", MEGABYTES)
        until = [[measure.stage(name, trace) / trace.events for name in names] for _ in range(ROUNDS)]
        steps = [[own[0]] + [b - a for a, b in zip(own, own[1:])] for own in until]
        rows.append([kind] + [median([own[i] for own in steps]) for i in range(len(names))]
                    + [median([own[-1] for own in until])])
    measure.print_table("ns of CPU an event",
                        ["", "parse", "order, timeline", "metrics, statistics", "report", "all"], rows)


def write_in_pages(path, copy):
    """As programs do whose buffer is small: so the kernel keeps it page by page."""
    with open(path, "rb") as source, open(copy, "wb", buffering=0) as target:
        while True:
            page = source.read(4096)
            if not page:
                return
            target.write(page)


def pages(kinds):
    """What reading costs depends on how a file was written: what came in large pieces is kept in large pages, where
    the file system can do that, and these are copied twice as fast."""
    rows = []
    for kind in kinds:
        trace = trace_of(kind, "two-core", MEGABYTES)
        copy = f"{trace.path}.pages"
        write_in_pages(trace.path, copy)
        costs = measure.run_in_turn({(program, path): [*command, path]
                                     for path in (trace.path, copy)
                                     for program, command in (("wc", ["wc", "-l"]), ("tracestat", [measure.TRACESTAT]))},
                                    ROUNDS)
        os.remove(copy)
        row = [kind]
        for path in (trace.path, copy):
            row += [trace.megabytes / median([cost.cpu for cost in costs["wc", path]]),
                    ratio(costs["tracestat", path], costs["wc", path])]
        rows.append(row)
    measure.print_table("wc -l and tracestat on the same bytes, written at once and 4 KiB at a time",
                        ["", "at once: wc MB/s", "x wc", "4 KiB: wc MB/s", "x wc"], rows)


def memory(kinds):
    """Peak memory must not grow with the trace."""
    sizes = [size for size in (10.0, 100.0, 1000.0) if size <= max(MEGABYTES, 10)]
    rows = [[f"{kind}{title}"] + [measure.run([measure.TRACESTAT, trace_of(kind, shape, size).path]).peak
                                  for size in sizes]
            for kind in kinds for shape, title in shapes_of(kind).items()]
    measure.print_table("peak memory of tracestat, MB", ["trace of"] + [f"{size:g} MB" for size in sizes], rows)


def start_up():
    """A small trace takes less than three times what libxml2 needs to look at it."""
    if not measure.have("xmllint"):
        print("\nstart-up: xmllint is not installed, skipped")
        return True
    trace = measure.Trace("start-up", "atf", 90, ["--shape", "one-core"])
    costs = measure.run_in_turn({"xmllint": ["xmllint", "--noout", trace.path],
                                 "tracestat": [measure.TRACESTAT, trace.path]}, max(ROUNDS, 5) * 5)
    cpu = ratio(costs["tracestat"], costs["xmllint"])
    wall = ratio(costs["tracestat"], costs["xmllint"], "wall")
    milliseconds = median([cost.wall for cost in costs["tracestat"]]) * 1000
    print(f"\nstart-up: a report of {trace.megabytes * 1000:.1f} kB takes {milliseconds:.1f} ms, {wall:.2f} times"
          f" (CPU: {cpu:.2f} times) that of xmllint --noout: {'fine' if wall < 3 else 'NOT below 3'}")
    return wall < 3


def main():
    kinds = ["atf", "btf", "etf"] + [kind for kind in measure.VISANDOR if measure.can_generate(kind)]
    for kind in kinds:
        for shape in shapes_of(kind):
            compare(kind, shape)
    print("\nmawk, Python and SQL calculate CET, GET, RT and IPT of tasks and ISRs (n, min, mean, max), which were"
          "\ncompared with tracestat's; tracestat calculates all metrics of all elements"
          "\nand counts defects, and as CSV their percentiles, too. xmllint and wc -l calculate nothing. babeltrace2 is left out: nothing writes the same trace as CTF.")
    stages(kinds)
    pages(kinds)
    memory(kinds)
    if not start_up():
        sys.exit(1)


main()
