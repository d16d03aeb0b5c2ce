import psycopg2

connection = psycopg2.connect("")
cursor = connection.cursor()


def ask(query, *values):
    cursor.execute(query, values)
    return cursor.fetchone()[0]


# psycopg 2 writes values into the query, as literals: 42, 'ann', ARRAY[42, 424242].
print(ask("SELECT members @> %s FROM audience WHERE name = 'eu'", 42))
print(ask("SELECT members @> %s FROM audience WHERE name = 'words'", "ann"))

# Lists of keys. Say the type, since an empty list has none.
print(ask("SELECT ribbon_contains_any(members, %s::bigint[]) FROM audience WHERE name = 'eu'", [42, 424242]))
print(ask("SELECT ribbon_contains_all(members, %s::text[]) FROM audience WHERE name = 'words'", ["ann", "eve"]))

# A filter comes as its bytes by a cast, in a memoryview; without it, as a str, '\x...'.
members = bytes(ask("SELECT members::bytea FROM audience WHERE name = 'eu'"))
text = ask("SELECT members FROM audience WHERE name = 'eu'")
print(len(members), bytes.fromhex(text[2:]) == members)

# And goes as bytes, or as such a str, into a table or into a query. Say what it is.
cursor.execute("INSERT INTO audience VALUES ('copy', %s::ribbonfilter)", [members])
print(ask("SELECT %s::ribbonfilter @> %s", text, 42))
connection.commit()
