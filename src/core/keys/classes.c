/*
 * classes.c - what classes are called, which numbers are some, and which agree
 */
#include "keys/classes.h"

/*
 * The classes proper, by their numbers, and the size of canonical bytes that
 * have always the same.
 */
static const struct
{
	const char *name;
	size_t size;
} classes[RIBBON_CLASSES] = {
	[RIBBON_CLASS_INTEGER] = {"integer", 8},
	[RIBBON_CLASS_TEXT] = {"text", 0},
	[RIBBON_CLASS_BYTEA] = {"bytea", 0},
	[RIBBON_CLASS_UUID] = {"uuid", 16},
	[RIBBON_CLASS_BOOL] = {"bool", 1},
	[RIBBON_CLASS_DATE] = {"date", 4},
	[RIBBON_CLASS_TIME] = {"time", 8},
	[RIBBON_CLASS_TIMESTAMP] = {"timestamp", 8},
	[RIBBON_CLASS_TIMESTAMPTZ] = {"timestamptz", 8},
	[RIBBON_CLASS_OID] = {"oid", 4},
	[RIBBON_CLASS_FLOAT] = {"float", 8},
	[RIBBON_CLASS_MACADDR] = {"macaddr", 6},
	[RIBBON_CLASS_MACADDR8] = {"macaddr8", 8},
	[RIBBON_CLASS_NUMERIC] = {"numeric", 0},
	[RIBBON_CLASS_INTERVAL] = {"interval", 16},
	[RIBBON_CLASS_INET] = {"inet", 0},
	[RIBBON_CLASS_ENUM] = {"enum", 0},
	[RIBBON_CLASS_CHAR_N] = {"char(n)", 0},
	[RIBBON_CLASS_TIMETZ] = {"timetz", 12},
	[RIBBON_CLASS_XID8] = {"xid8", 8},
	[RIBBON_CLASS_PG_LSN] = {"pg_lsn", 8},
	[RIBBON_CLASS_BIT] = {"bit", 0},
	[RIBBON_CLASS_ARRAY] = {"array", 0},
	[RIBBON_CLASS_RANGE] = {"range", 0},
	[RIBBON_CLASS_MULTIRANGE] = {"multirange", 0},
	[RIBBON_CLASS_ROW] = {"row", 0},
	[RIBBON_CLASS_JSONB] = {"jsonb", 0},
	[RIBBON_CLASS_OTHER_LE] = {"other", 0},
	[RIBBON_CLASS_OTHER_BE] = {"other", 0},
};

const char *
ribbon_key_class_name(int key_class)
{
	return classes[ribbon_key_class_proper(key_class)].name;
}

size_t
ribbon_key_class_size(int key_class)
{
	return classes[ribbon_key_class_proper(key_class)].size;
}

bool
ribbon_key_class_is_valid(int key_class)
{
	if (key_class < 0 ||
		key_class >> (RIBBON_CLASS_BITS + RIBBON_CLASS_PARTS_BITS) != 0)
		return false;
	for (; key_class >= RIBBON_CLASSES; key_class >>= RIBBON_CLASS_BITS)
	{
		if (ribbon_key_class_proper(key_class) == RIBBON_CLASS_ROW)
			return true;
		if (!ribbon_key_class_has_parts(key_class))
			return false;
	}
	return true;
}

int
ribbon_key_class_part(int key_class, int i)
{
	int parts = (int) ribbon_key_class_parts(key_class);

	if (ribbon_key_class_proper(key_class) != RIBBON_CLASS_ROW)
		return i == 0 ? parts : 0;
	return ribbon_key_class_proper(parts >> (i * RIBBON_CLASS_BITS));
}

/* Does this say which one class a part has? */
static bool
is_known(int part)
{
	return ribbon_key_class_proper(part) != 0 &&
		ribbon_key_class_proper(part) != RIBBON_CLASS_SEVERAL;
}

/* Do they agree, if any columns will do rows whatever theirs are? */
static bool
agree(int a, int b, bool any_columns)
{
	if (!is_known(a) || !is_known(b))
		return true;
	if (ribbon_key_class_proper(a) != ribbon_key_class_proper(b))
		return false;
	if (any_columns && ribbon_key_class_proper(a) == RIBBON_CLASS_ROW)
		return true;
	for (int i = 0; i < RIBBON_CLASS_PARTS; i++)
		if (!agree(ribbon_key_class_part(a, i), ribbon_key_class_part(b, i),
				   any_columns))
			return false;
	return true;
}

bool
ribbon_key_class_agree(int a, int b)
{
	return agree(a, b, false);
}

bool
ribbon_key_class_mix(int a, int b)
{
	return agree(a, b, true);
}
