"""_errors.py - exceptions of the package's own"""


class FormatError(ValueError):
    """The bytes are not a filter or map, are cut short, or have a later format."""


class ConflictError(ValueError):
    """A key has two values, or is a member and is not; or two keys of an exact set have one hash under every seed tried."""
