"""_errors.py - exceptions of the package's own"""


class FormatError(ValueError):
    """Bytes that are no filter or map, are cut short, or are of a later format."""


class ConflictError(ValueError):
    """One key with two values."""
