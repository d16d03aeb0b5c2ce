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


def check(name, good, what):
    """Whether it is good, and what it was."""
    report(name, None if good else str(what))


def compare(name, got, expected):
    """Whether this is what was expected."""
    report(name, None if got == expected else f"{str(got)[:450]} instead of {str(expected)[:450]}")


def finish(status=0):
    """End the program: well if all was, and in a program that it called and that ended so."""
    raise SystemExit(failed > 0 or status != 0)
