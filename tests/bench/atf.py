# SPDX-License-Identifier: MIT
"""Times of the tasks and ISRs of an ATF trace, with the incremental XML parser of Python."""
import sys
from collections import deque
from xml.etree import ElementTree

KINDS = {"activation": "activate", "activation-OS": "activate", "activation-chained": "activate",
         "start": "start", "end": "end", "preempt": "preempt", "resume": "resume"}


def main(path):
    statistics = {}  # of (element, metric): n, min, sum, max
    names = {}       # of tasks and ISRs, by id
    kinds = {}       # by event id
    queues = {}      # by id: activations that wait
    states = {}      # by id: activation, start, since, running

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

    data = None
    for event, node in ElementTree.iterparse(path, ("start", "end")):
        if event == "start":
            if node.tag == "TraceData":
                data = node
            continue
        if node.tag == "SystemElement" and node.get("Type") in ("task", "isr"):
            names[node.get("ID")] = node.get("Name")
            queues[node.get("ID")] = deque()
        elif node.tag == "EventIDMapping":
            kinds[node.get("EventID")] = KINDS.get(node.get("EventType"))
        if node.tag != "TraceEntry":
            continue
        time = int(node.get("Time"))
        kind = kinds.get(node.get("EventID"))
        key = node.get("ReferenceID")
        data.clear()  # or the tree grows
        if key not in names:
            continue
        if kind == "activate":
            queues[key].append(time)
        elif kind == "start":
            activation = queues[key].popleft() if queues[key] else None
            states[key] = [activation, time, time, 0]
            if activation is not None:
                add(names[key], "IPT", time - activation)
        elif kind == "preempt":
            states[key][3] += time - states[key][2]
        elif kind == "resume":
            states[key][2] = time
        elif kind == "end":
            activation, start, since, running = states.pop(key)
            add(names[key], "CET", running + time - since)
            add(names[key], "GET", time - start)
            if activation is not None:
                add(names[key], "RT", time - activation)

    for (element, metric), (n, least, total, most) in statistics.items():
        print(f"{element},{metric},{n},{least},{total / n:.15g},{most}")


main(sys.argv[1])
