# SPDX-License-Identifier: MIT
"""Other programs on the same traces, and whether they come to the same numbers."""
import csv
import importlib.util
import os
import subprocess
import sys

import measure


def script(name):
    return os.path.join(measure.SCRIPTS, name)


class Opponent:
    """`slow': it gets a smaller trace. `checked': it calculates, and prints it as btf.awk does."""

    def __init__(self, name, command, slow=True, checked=True, present=True):
        self.name, self.command, self.slow, self.checked, self.present = name, command, slow, checked, present


def opponents(kind):
    """All of a format, in the order of the table; tracestat and wc are not among them."""
    have_sqlite, have_duckdb = (importlib.util.find_spec(module) is not None for module in ("sqlite3", "duckdb"))
    if kind == "atf":
        return [Opponent("xmllint --sax --noout", ["xmllint", "--sax", "--noout"], slow=False, checked=False,
                         present=measure.have("xmllint")),
                Opponent("mawk", ["mawk", "-f", script("atf.awk")], present=measure.have("mawk")),
                Opponent("Python, ElementTree", [sys.executable, script("atf.py")])]
    if kind == "btf":
        return [Opponent("mawk", ["mawk", "-f", script("btf.awk")], present=measure.have("mawk")),
                Opponent("Python", [sys.executable, script("btf.py")]),
                Opponent("SQLite, SQL", [sys.executable, script("btf-sql.py"), "sqlite"], present=have_sqlite),
                Opponent("DuckDB, SQL", [sys.executable, script("btf-sql.py"), "duckdb"], present=have_duckdb)]
    return []


def expected(path):
    """What tracestat says of tasks and ISRs: {(element, metric): (n, min, sum, max)} in ticks."""
    done = subprocess.run([measure.TRACESTAT, "-q", "-f", "csv", "-m", "CET,GET,RT,IPT", "-t", "task,isr", path],
                          stdout=subprocess.PIPE, env=measure.ENVIRONMENT, text=True, check=False)
    if done.returncode != 0:
        measure.fail(f"tracestat {path}: exit status {done.returncode}")
    return {(row["element"], row["metric"]): (int(row["n"]), int(row["min_ticks"]), int(row["sum_ticks"]),
                                              int(row["max_ticks"]))
            for row in csv.DictReader(done.stdout.splitlines()) if int(row["n"]) > 0}


def difference(found, reference):
    """The first difference between the lines that a script printed and `expected', or None."""
    rest = dict(reference)
    for line in found:
        element, metric, n, least, mean, most = line.rstrip("\n").rsplit(",", 5)
        values = rest.pop((element, metric), None)
        if values is None:
            return f"{element} {metric} is not in tracestat's report"
        if (int(n), int(least), int(most)) != (values[0], values[1], values[3]):
            return f"{element} {metric}: n, min, max {n} {least} {most}, tracestat {values}"
        if abs(float(mean) * values[0] - values[2]) > 1e-9 * abs(values[2]):
            return f"{element} {metric}: mean {mean}, tracestat {values[2]} / {values[0]}"
    if rest:
        return f"{sorted(rest)[0]} is only in tracestat's report"
    return None


def check(opponent, path):
    """Fails unless `opponent' says the same of a trace as tracestat."""
    reference = expected(path)
    if not reference:
        measure.fail(f"{path}: nothing to compare")
    done = subprocess.run(opponent.command + [path], stdout=subprocess.PIPE, text=True, check=False,
                          env=measure.ENVIRONMENT)
    if done.returncode != 0:
        measure.fail(f"{opponent.name} {path}: exit status {done.returncode}")
    wrong = difference(done.stdout.splitlines(), reference)
    if wrong is not None:
        measure.fail(f"{opponent.name} disagrees on {path}: {wrong}")
    return len(reference)


if __name__ == "__main__":
    # opponents.py FORMAT TRACE: a line of TAP for each that is installed, for `make check'
    for one in opponents(sys.argv[1]):
        if one.checked and one.present:
            print(f"ok - {one.name} agrees on {sys.argv[1]}: {check(one, sys.argv[2])} results")
