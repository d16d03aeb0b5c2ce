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
} classes[RIBBON_CLASSES] =
	{{NULL, 0},		   {"integer", 8},	   {"text", 0},	   {"bytea", 0},
	 {"uuid", 16},	   {"bool", 1},		   {"date", 4},	   {"time", 8},
	 {"timestamp", 8}, {"timestamptz", 8}, {"oid", 4},	   {"float", 8},
	 {"macaddr", 6},   {"macaddr8", 8},	   {"numeric", 0}, {"interval", 16},
	 {"inet", 0},	   {"enum", 0},		   {"char(n)", 0}, {"timetz", 12},
	 {"xid8", 8},	   {"pg_lsn", 8},	   {"bit", 0},	   {"array", 0},
	 {"range", 0},	   {"multirange", 0},  {"row", 0},	   {"jsonb", 0},
	 {"other", 0},	   {"other", 0}};

const char *
ribbon_key_class_name(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].name;
}

size_t
ribbon_key_class_size(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].size;
}

bool
ribbon_key_class_is_valid(int key_class)
{
	if (key_class < 0 ||
		key_class >> (RIBBON_CLASS_BITS + RIBBON_CLASS_PARTS_BITS) != 0)
		return false;
	for (; key_class >= RIBBON_CLASSES; key_class >>= RIBBON_CLASS_BITS)
	{
		if (ribbon_key_class_of(key_class) == RIBBON_CLASS_ROW)
			return true;
		if (!ribbon_key_class_has_parts(key_class))
			return false;
	}
	return true;
}

int
ribbon_key_class_part(int key_class, int i)
{
	int parts = (int) ribbon_key_parts_of(key_class);

	if (ribbon_key_class_of(key_class) != RIBBON_CLASS_ROW)
		return i == 0 ? parts : 0;
	return ribbon_key_class_of(parts >> (i * RIBBON_CLASS_BITS));
}

/* Does this say which one class a part has? */
static bool
is_known(int part)
{
	return ribbon_key_class_of(part) != 0 &&
		ribbon_key_class_of(part) != RIBBON_CLASS_SEVERAL;
}

/* Do they agree, if any columns will do rows whatever theirs are? */
static bool
agree(int a, int b, bool any_columns)
{
	if (!is_known(a) || !is_known(b))
		return true;
	if (ribbon_key_class_of(a) != ribbon_key_class_of(b))
		return false;
	if (any_columns && ribbon_key_class_of(a) == RIBBON_CLASS_ROW)
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
