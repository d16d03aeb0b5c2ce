import os

from sqlalchemy import BigInteger, Boolean, Column, MetaData, Table, Text, cast, create_engine, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY, base
from sqlalchemy.types import UserDefinedType


class RibbonFilter(UserDefinedType):
    """A column of filters: bytes in Python; column.has_key(key) is members @> key."""
    cache_ok = True

    def get_col_spec(self, **options):
        return "ribbonfilter"

    def bind_expression(self, value):
        return cast(cast(value, base.BYTEA), self)

    def column_expression(self, column):
        return cast(column, base.BYTEA)

    class comparator_factory(UserDefinedType.Comparator):
        def has_key(self, key):
            return self.expr.op("@>", return_type=Boolean())(literal(key))


base.ischema_names["ribbonfilter"] = RibbonFilter  # for tables that are reflected

engine = create_engine("postgresql+psycopg2:///" + os.environ["PGDATABASE"])
audience = Table("audience", MetaData(), Column("name", Text, primary_key=True), Column("members", RibbonFilter))
reflected = Table("audience", MetaData(), autoload_with=engine)

with engine.begin() as connection:
    def ask(what, name):
        return connection.execute(select(what).where(audience.c.name == name)).scalar()

    # A key brings its type along: literal() makes a number of 42, a text of 'ann'.
    print(ask(audience.c.members.has_key(42), "eu"))
    print(ask(audience.c.members.has_key("ann"), "words"))

    # Lists of keys
    print(ask(func.ribbon_contains_any(audience.c.members, cast([42, 424242], ARRAY(BigInteger))), "eu"))
    print(ask(func.ribbon_contains_all(audience.c.members, cast(["ann", "eve"], ARRAY(Text))), "words"))

    # A filter comes as its bytes, of a reflected table, too
    members = ask(audience.c.members, "eu")
    again = connection.execute(select(reflected.c.members).where(reflected.c.name == "eu")).scalar()
    print(len(members), bytes(again) == bytes(members))

    # And goes as bytes
    connection.execute(audience.insert().values(name="copy", members=bytes(members)))
    print(ask(audience.c.members.has_key(42), "copy"))
