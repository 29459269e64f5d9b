#!/usr/bin/env python3
"""Makes raw results of `jacobi bench --json` small: scripts/compact-results.py FILE...

Lists of single runs go, medians and extremes stay. Numbers keep four digits. Records stand one a line, without
their keys where they are flat: "all" holds what every record has alike, "columns" names the rest. A record that
holds a table, as one size of many does, is a line too.
"""
import json
import sys

DERIVED = {"sweeps_per_run", "threads_asked", "limit_lups"}


def number(x):
    if not isinstance(x, float):
        return x
    if x != x:
        return None
    short = x if x == int(x) and abs(x) < 1e9 else float("%.4g" % x)
    return int(short) if short == int(short) and abs(short) < 1e15 else short


def strip(x):
    if isinstance(x, dict):
        return {k: strip(v) for k, v in x.items() if k not in DERIVED and not (k.endswith("_runs") and isinstance(v, list))}
    return [strip(v) for v in x] if isinstance(x, list) else number(x)


def is_flat(x):
    return isinstance(x, dict) and not any(isinstance(v, (list, dict)) for v in x.values())


def dumps(x):
    return json.dumps(x, separators=(",", ":"))


def packed(x):
    if isinstance(x, dict):
        return {k: packed(v) for k, v in x.items()}
    if not isinstance(x, list):
        return x
    if len(x) < 2 or not all(map(is_flat, x)):
        return [packed(v) for v in x]
    columns = list(dict.fromkeys(k for record in x for k in record))
    alike = {k: x[0][k] for k in columns if all(k in r and r[k] == x[0][k] for r in x)}
    columns = [k for k in columns if k not in alike]
    return {"all": alike, "columns": columns, "rows": [[record.get(k) for k in columns] for record in x]}


def text(x):
    if isinstance(x, dict) and "columns" in x:
        return "{" + ",\n".join(f"{dumps(k)}: {text(v)}" for k, v in x.items()) + "}"
    if isinstance(x, list) and any(isinstance(v, (dict, list)) for v in x):
        return "[\n" + ",\n".join(map(dumps, x)) + "\n]"
    return dumps(x)


for path in sys.argv[1:]:
    with open(path) as file:
        raw = json.load(file)
    with open(path, "w") as file:
        file.write("{" + ",\n".join(f"{dumps(k)}: {text(v)}" for k, v in packed(strip(raw)).items()) + "}\n")
