import psycopg

connection = psycopg.connect(autocommit=True)


def ask(query, *values):
    return connection.execute(query, values).fetchone()[0]


# A key brings its type along; a string is untyped, which is text.
print(ask("SELECT members @> %s FROM audience WHERE name = 'eu'", 42))
print(ask("SELECT members @> %s FROM audience WHERE name = 'words'", "ann"))

# Lists of keys. Say the type, since an empty list has none.
print(ask("SELECT ribbon_contains_any(members, %s::bigint[]) FROM audience WHERE name = 'eu'", [42, 424242]))
print(ask("SELECT ribbon_contains_all(members, %s::text[]) FROM audience WHERE name = 'words'", ["ann", "eve"]))

# A filter comes as its bytes by a cast, or in the binary format. (In the text format it is a str, '\x...'.)
members = ask("SELECT members::bytea FROM audience WHERE name = 'eu'")
binary = connection.cursor(binary=True).execute("SELECT members FROM audience WHERE name = 'eu'").fetchone()[0]
print(len(members), binary == members)

# And goes as bytes, into a table or into a query.
connection.execute("INSERT INTO audience VALUES ('copy', %s::ribbonfilter)", [members])
print(ask("SELECT %s::ribbonfilter @> %s", members, 42))
