"""reports.py - what a test program says of its checks, a line for each"""

failed = 0


def report(name, fault=None):
    """What was checked, and, if it does not hold, what was seen instead."""
    global failed
    if fault is None:
        print(f"ok - {name}", flush=True)
    else:
        failed += 1
        print(f"not ok - {name}:", " ".join(fault.split())[:1000], flush=True)


def finish():
    """End the program, well if all was."""
    raise SystemExit(failed > 0)
