# The compiled part, which is nobody's but the package's.

from typing import Any

def __getattr__(name: str) -> Any: ...
