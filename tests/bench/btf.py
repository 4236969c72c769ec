# SPDX-License-Identifier: MIT
"""Times of the tasks and ISRs of a BTF trace: what btf.awk does, in Python."""
import sys


def main(path):
    statistics = {}  # of (element, metric): n, min, sum, max
    instances = {}   # of (element, number): activation, start, since, running

    def add(element, metric, value):
        entry = statistics.get((element, metric))
        if entry is None:
            statistics[element, metric] = [1, value, value, value]
            return
        entry[0] += 1
        if value < entry[1]:
            entry[1] = value
        entry[2] += value
        if value > entry[3]:
            entry[3] = value

    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line[0] == "#":
                continue
            time, _, _, kind, element, number, event = line.rstrip().split(",")[:7]
            if kind != "T" and kind != "I":
                continue
            time = int(time)
            key = (element, number)
            if event == "activate":
                instances[key] = [time, None, None, 0]
            elif event == "start":
                instance = instances.setdefault(key, [None, None, None, 0])
                instance[1] = instance[2] = time
                if instance[0] is not None:
                    add(element, "IPT", time - instance[0])
            elif event == "preempt":
                instance = instances[key]
                instance[3] += time - instance[2]
            elif event == "resume":
                instances[key][2] = time
            elif event == "terminate":
                activation, start, since, running = instances.pop(key)
                add(element, "CET", running + time - since)
                add(element, "GET", time - start)
                if activation is not None:
                    add(element, "RT", time - activation)

    for (element, metric), (n, least, total, most) in statistics.items():
        print(f"{element},{metric},{n},{least},{total / n:.15g},{most}")


main(sys.argv[1])
