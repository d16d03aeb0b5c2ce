"""data.py - the tables that are measured

There are two sets of keys, "small" of a tenth as many as there are rows and
"large" of as many.  A table of rows to probe has a member of its set in every
other row or so, in no order, and non-members between, or another share of them.  Members are positive, and
non-members negative: "user_id > 0" lets through the rows that the filter lets
through, but for false positives, and is what a filter is compared with.

Texts and uuids are made alike: members are those above '8'.
"""

FUNCTIONS = """
CREATE FUNCTION member(i bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
	AS 'SELECT hashint8extended(i, 0) & 9223372036854775807';
CREATE FUNCTION nonmember(i bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
	AS 'SELECT hashint8extended(i, 1) | ~9223372036854775807';
CREATE FUNCTION member_text(i bigint) RETURNS text IMMUTABLE LANGUAGE sql
	AS $$SELECT 'f' || substr(md5(i::text), 2)$$;
CREATE FUNCTION nonmember_text(i bigint) RETURNS text IMMUTABLE LANGUAGE sql
	AS $$SELECT '0' || substr(md5(i::text), 2)$$;
CREATE FUNCTION chance(i bigint, below bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
	AS 'SELECT (hashint8extended(i, 2) & 9223372036854775807) % below';
CREATE FUNCTION percent(i bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
	AS 'SELECT (hashint8extended(i, 3) & 9223372036854775807) % 100'
"""

# What a table holds in row i, by the name of its prefix.
MEMBER = {"keys": "member({})", "text": "member_text({})", "uuid": "member_text({})::uuid"}
NONMEMBER = {"keys": "nonmember({})", "text": "nonmember_text({})", "uuid": "nonmember_text({})::uuid"}


class Data:
    """Makes tables when they are first asked for, and leaves them in memory."""

    def __init__(self, session, rows):
        self.session = session
        self.rows = rows
        self.sets = {"small": max(rows // 10, 1000), "large": rows}
        self.made = set()
        self.filters = set()
        session.do("CREATE EXTENSION ribbon")
        for function in FUNCTIONS.split(";\n"):
            session.do(function)
        session.do("CREATE TABLE filters (name text PRIMARY KEY, members ribbonfilter)")

    def table(self, name, sql):
        """Make a table of a query, unless it is there."""
        if name not in self.made:
            self.session.do(f"CREATE UNLOGGED TABLE {name} AS {sql}")
            self.settle(name)
            self.made.add(name)
        return name

    def settle(self, name):
        self.session.do(f"VACUUM (ANALYZE) {name}")
        self.session.do(f"SELECT count(*) FROM {name}")

    def drop(self, *names):
        for name in names:
            if name in self.made:
                self.session.do(f"DROP TABLE {name}")
                self.made.discard(name)

    def keys(self, kind="keys", size="large", factor=1):
        """A table of the keys of a set, column k; or of several times as many."""
        n = factor * self.sets[size]
        key = MEMBER[kind].format("i")
        return self.table(
            f"{kind}_{size}" + (f"_{factor}" if factor > 1 else ""),
            f"SELECT {key} AS k FROM generate_series(1::bigint, {n}) i",
        )

    def probe(self, kind="keys", size="small", members=50):
        """A table of rows to probe, column user_id; so many percent members."""
        member = MEMBER[kind].format(f"1 + chance(i, {self.sets[size]})")
        nonmember = NONMEMBER[kind].format("i")
        return self.table(
            f"probe_{kind}_{size}" + ("" if members == 50 else f"_{members}"),
            f"SELECT CASE WHEN percent(i) < {members} THEN {member} ELSE {nonmember} END AS user_id"
            f" FROM generate_series(1::bigint, {self.rows}) i",
        )

    def filter(self, kind="keys", size="small", fpr=0.01):
        """The name of a stored filter of the keys of a set."""
        name = f"{kind}_{size}" + ("" if fpr == 0.01 else f"_{fpr}")
        if name not in self.filters:
            key = MEMBER[kind].format("k")
            self.session.do(
                f"INSERT INTO filters SELECT '{name}', ribbon_build({key}, {fpr}) FROM {series(self.sets[size])}"
            )
            self.session.do("VACUUM (ANALYZE) filters")
            self.filters.add(name)
        return name


def series(n, key="i"):
    """A source of n keys, k, that keeps nothing in memory or on disk."""
    return f"(SELECT {key} AS k FROM (SELECT generate_series(1::bigint, {n}) AS i) s) s"
