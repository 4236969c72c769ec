# SPDX-License-Identifier: MIT
"""Times of the tasks and ISRs of a BTF trace by the query btf.sql: btf-sql.py duckdb|sqlite TRACE."""
import os
import sys


def read_query():
    with open(os.path.join(os.path.dirname(__file__), "btf.sql"), encoding="utf-8") as query:
        return query.read()


def with_sqlite(path):
    import sqlite3

    def rows():
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if line[0] != "#":
                    fields = line.rstrip().split(",")
                    yield int(fields[0]), fields[3], fields[4], int(fields[5]), fields[6]

    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE events (line INTEGER PRIMARY KEY, time INTEGER, type TEXT, element TEXT,"
                     " instance INTEGER, event TEXT)")
    database.executemany("INSERT INTO events (time, type, element, instance, event) VALUES (?, ?, ?, ?, ?)", rows())
    return database.execute(read_query()).fetchall()


def with_duckdb(path):
    import duckdb

    database = duckdb.connect()
    database.execute("""
        CREATE TABLE events AS
        SELECT row_number() OVER () AS line, time, type, element, instance, event
        FROM read_csv(?, header = false, delim = ',', quote = '', escape = '', comment = '#', null_padding = true,
                      columns = {'time': 'BIGINT', 'source': 'VARCHAR', 'source_instance': 'BIGINT',
                                 'type': 'VARCHAR', 'element': 'VARCHAR', 'instance': 'BIGINT',
                                 'event': 'VARCHAR', 'note': 'VARCHAR'})
        """, [path])
    return database.execute(read_query()).fetchall()


readers = {"duckdb": with_duckdb, "sqlite": with_sqlite}
for element, metric, n, least, mean, most in readers[sys.argv[1]](sys.argv[2]):
    print(f"{element},{metric},{n},{least},{mean:.15g},{most}")
