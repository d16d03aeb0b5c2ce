import psycopg
import ribbonfilter.psycopg
from ribbonfilter import Filter

connection = psycopg.connect(autocommit=True)
ribbonfilter.psycopg.register(connection)

hits = range(500, 1_000_500)            # a list, a numpy array, a column of a DataFrame
members = Filter.build(hits, fpr=0.01)  # 0.84 bytes per id; 0.001 takes 3.3 bits more

# %b sends the bytes as they are. register() knows the type, so no cast is needed.
rows = connection.execute("SELECT id FROM items WHERE %b @> id", [members])

# One of 100 other rows passes. Check with the ids themselves.
print(sum(id in hits for id, in rows))
