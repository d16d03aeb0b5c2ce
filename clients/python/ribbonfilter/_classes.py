"""_classes.py - the numbers of key classes: docs/canonical.md"""

ANY = 0     # none, or hashes that a program has made
(INTEGER, TEXT, BYTES, UUID, BOOL, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, OID, FLOAT, MACADDR, MACADDR8, NUMERIC, INTERVAL,
 INET, ENUM, CHAR, TIMETZ, XID8, LSN, BIT, ARRAY) = range(1, 24)
