"""built.py - import it first: the package as it has been built; and what its tests share"""

import sys

sys.dont_write_bytecode = True
sys.path[:0] = ["build/python/lib", "test/lib"]

from reports import compare, report


def error_of(call, *arguments, **options):
    """The exception that a call raises, or None."""
    try:
        call(*arguments, **options)
    except Exception as error:
        return error
    return None


def raises(name, expected, call, *arguments, says="", **options):
    """A call must raise this kind of exception, and say this."""
    error = error_of(call, *arguments, **options)
    report(name, None if isinstance(error, expected) and says in str(error) else f"{error!r} instead of {expected.__name__} {says}")


def all_true(name, faults):
    """None of these faults has been found."""
    faults = [fault for fault in faults if fault]
    report(name, "; ".join(map(str, faults[:5])) if faults else None)


__all__ = ["all_true", "compare", "error_of", "raises", "report"]
