"""_times.py - dates and times, of Python, pandas and numpy, as PostgreSQL has them: days and microseconds since 2000"""

import datetime

import numpy

DAY = datetime.date(2000, 1, 1)
MOMENT = datetime.datetime(2000, 1, 1)
MOMENT_UTC = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
DAY64 = numpy.datetime64(DAY)
DAY_US = 86400 * 1000000        # microseconds of a day
EPOCH = 10957 * DAY_US          # from 1970 to 2000
# -infinity and infinity, as days and as microseconds
INFINITE_DAYS = (-1 << 31, (1 << 31) - 1)
INFINITE_MOMENTS = (-1 << 63, (1 << 63) - 1)
NANOSECONDS = {numpy.dtype(f"M8[{unit}]"): 10**(9 - digits) for unit, digits in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9))}
TIME_PARTS = (datetime.time.hour, datetime.time.minute, datetime.time.second, datetime.time.microsecond)


# ---- One value ----

def is_pandas(value):
    """Is it of pandas?  As a datetime or timedelta it is empty beyond year 9999, and where it counts other units."""
    return hasattr(value, "to_numpy")


def days_and_rest(span):
    """Days of a timedelta, and microseconds; those of its own that a subclass may have are not asked."""
    kind = type(span) if is_pandas(span) else datetime.timedelta
    return kind.days.__get__(span), kind.seconds.__get__(span) * 1000000 + kind.microseconds.__get__(span)


def microseconds(span):
    """Of a timedelta."""
    days, rest = days_and_rest(span)
    return days * DAY_US + rest


def days(value):
    """Of a date, since 2000; as of a timestamp, a subclass may have a difference of its own."""
    return datetime.date.__sub__(value, DAY).days


def timestamp(value):
    """Of a datetime: microseconds since 2000, in UTC if it has a zone."""
    if getattr(value, "nanosecond", 0):     # pandas has them
        raise ValueError(f"{value} is finer than microseconds")
    if is_pandas(value):    # whose differences end after 292 years
        time = value.to_numpy()
        number = int(time.astype("i8")) * NANOSECONDS[time.dtype] // 1000 - EPOCH
        if not INFINITE_MOMENTS[0] < number <= INFINITE_MOMENTS[1]:
            raise ValueError(f"{value!r} is beyond 64 bits of microseconds")
        return number
    return microseconds(datetime.datetime.__sub__(value, MOMENT if value.utcoffset() is None else MOMENT_UTC))


def time_of_day(value):
    """Of a time; those of its own that a subclass may have are not asked."""
    hour, minute, second, rest = (part.__get__(value) for part in TIME_PARTS)
    return ((hour * 60 + minute) * 60 + second) * 1000000 + rest


def interval(value):
    """Days and microseconds of a timedelta."""
    if getattr(value, "nanoseconds", 0):
        raise ValueError(f"{value} is finer than microseconds")
    return days_and_rest(value)


# ---- Many values: arrays of numpy, and its scalars ----

def is_date(dtype):
    """Is it numpy's datetime64 of whole days?"""
    return dtype.kind == "M" and numpy.datetime_data(dtype)[0] in ("D", "W", "M", "Y")


def in_microseconds(times):
    """Times, or spans of time, of numpy."""
    if times.dtype.str[1:] in ("M8[us]", "m8[us]"):
        return times
    if times.dtype.kind == "m" and numpy.datetime_data(times.dtype)[0] in ("Y", "M", "generic"):
        raise TypeError(f"spans of dtype {times.dtype} have no length in time")
    fine = times.astype(f"{times.dtype.kind}8[us]")
    if (fine.astype(times.dtype) != times).any():      # which tells of overflow, too
        raise ValueError("there are times finer than microseconds, or beyond 64 bits of them")
    return fine


def array_days(values):
    """Days since 2000 of dates, as int32."""
    dates = values.astype("M8[D]")
    numbers = dates.astype("<i8") - DAY64.astype("<i8")
    if len(numbers) and ((dates.astype(values.dtype) != values).any() or
                         numbers.min() <= INFINITE_DAYS[0] or numbers.max() >= INFINITE_DAYS[1]):
        raise ValueError("there are dates beyond 32 bits of days")
    return numbers.astype("<i4")


def array_timestamps(times):
    """Microseconds since 2000 of times, as int64."""
    numbers = in_microseconds(times).astype("<i8")
    if len(numbers) and numbers.min() <= INFINITE_MOMENTS[0] + EPOCH:
        raise ValueError("there are times beyond 64 bits of microseconds")
    return numbers - EPOCH


def array_intervals(values):
    """Days and microseconds of spans of time, as int64 side by side."""
    spans = in_microseconds(values).astype("<i8")
    parts = numpy.empty((len(spans), 2), dtype="<i8")
    numpy.divmod(spans, DAY_US, out=(parts[:, 0], parts[:, 1]))
    return parts.view("V16")
