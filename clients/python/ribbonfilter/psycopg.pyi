from typing import Any, Optional

from psycopg import AsyncConnection, Connection
from psycopg.abc import AdaptContext

def register(connection: Connection[Any], context: Optional[AdaptContext] = None) -> None: ...
async def register_async(connection: AsyncConnection[Any], context: Optional[AdaptContext] = None) -> None: ...
