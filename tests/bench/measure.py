# SPDX-License-Identifier: MIT
"""What speed.py and growth.py share: traces, runs, tables. Folders come from make, as for the tests."""
import os
import re
import shutil
import statistics
import subprocess
import sys

SOURCE = os.environ["TS_SRCDIR"]
BUILD = os.environ["TS_BUILDDIR"]
SCRIPTS = os.path.join(SOURCE, "tests", "bench")
FOLDER = os.path.join(BUILD, "bench")
GENERATE = os.path.join(BUILD, "tests", "generate")
RUN = os.path.join(BUILD, "tests", "bench-run")
STAGES = os.path.join(BUILD, "tests", "bench-stages")

VISANDOR = ("visandor", "visandor-or")  # of and-parallel programs, and of or-parallel ones

# not libtool's wrapper, a shell script that takes as long as a small trace
TRACESTAT = os.path.join(BUILD, ".libs", "tracestat")
if not os.path.exists(TRACESTAT):
    TRACESTAT = os.path.join(BUILD, "tracestat")
ENVIRONMENT = dict(os.environ, LC_ALL="C", LD_LIBRARY_PATH=os.path.join(BUILD, ".libs"))


def fail(message):
    sys.exit(f"bench: {message}")


class Trace:
    """A trace of the generator, kept in build/bench until the generator or what is asked of it changes."""

    def __init__(self, name, kind, events, options):
        self.path = os.path.join(FOLDER, f"{name}.{kind}")
        self.kind = kind
        command = [GENERATE, "--format", kind, "--events", str(events), "-o", self.path, *options]
        if not is_visandor(kind):
            command.append("--self-check")  # it tells the number of events
        note = self.path + ".note"
        os.makedirs(FOLDER, exist_ok=True)
        written = None
        if os.path.exists(note) and os.path.getmtime(note) > os.path.getmtime(GENERATE):
            with open(note, encoding="utf-8") as file:
                written = file.read().splitlines()
        if written is None or written[1] != " ".join(command):
            result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
            if result.returncode != 0:
                fail(f"the generator: {result.stderr}")
            found = re.search(r"^generate: (\d+) events", result.stderr, re.MULTILINE)
            written = [found.group(1) if found else str(count_lines(self.path)), " ".join(command)]
            with open(note, "w", encoding="utf-8") as file:
                file.write("\n".join(written))
        self.events = int(written[0])
        self.megabytes = os.path.getsize(self.path) / 1e6


def count_lines(path):
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def is_visandor(kind):
    return kind in VISANDOR


def can_generate(kind):
    """Whether the generator of this tree writes the format."""
    return subprocess.run([GENERATE, "--format", kind, "--events", "10", "-o", os.devnull],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def trace_of_size(kind, megabytes, shape, options=()):
    """A trace of about so many MB. VisAndOr traces have their own simulation, without shapes."""
    options = ["--shape", shape, *options] if not is_visandor(kind) else []
    # two, since thousands of elements have a large header
    short, long = (Trace(f"{shape}-sample-{events}", kind, events, options) for events in (50000, 100000))
    event = (long.megabytes - short.megabytes) / (long.events - short.events)
    events = max(short.events + int((megabytes - short.megabytes) / event), 1000)
    return Trace(f"{shape}-{megabytes:g}", kind, events, options)


class Cost:
    """What a run took: seconds of CPU (user and system), seconds, MB at the peak."""

    def __init__(self, cpu, wall, peak):
        self.cpu, self.wall, self.peak = cpu, wall, peak


def run(command, output=None):
    """Runs it once, as others see it. `output' is a path for what it prints."""
    result = os.path.join(FOLDER, "cost")
    with open(output or os.devnull, "wb") as out:
        done = subprocess.run([RUN, result, *command], stdout=out, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
    with open(result, encoding="ascii") as file:
        cpu, wall, peak = file.read().split()
    return Cost(float(cpu), float(wall), float(peak) * 1024 / 1e6)


def run_in_turn(commands, rounds):
    """A B C A B C ...: a list of costs for each name. What slows the machine down for a while hits all."""
    costs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            costs[name].append(run(command))
    return costs


def median(values):
    return statistics.median(values)


def ratio(one, other, attribute="cpu"):
    """The median of the ratios of runs that stood side by side."""
    return median([getattr(a, attribute) / max(getattr(b, attribute), 1e-6) for a, b in zip(one, other)])


def stage(name, trace):
    """Nanoseconds of CPU that bench-stages needs up to a stage."""
    done = subprocess.run([STAGES, name, trace.path], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        fail(f"bench-stages {name} {trace.path}")
    return int(done.stdout.split()[1])


def have(program):
    return shutil.which(program) is not None


def number(value, digits=3):
    """`digits' that count, in full before the point."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    decimals = max(0, digits - len(str(int(abs(value)))))
    return f"{value:,.{decimals}f}"


def print_table(title, columns, rows):
    """The first column is text."""
    cells = [columns] + [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]).rstrip())
    sys.stdout.flush()
