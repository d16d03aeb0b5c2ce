/*
 * keyclass.c - names of key classes, and the class of a set of two
 */
#include "key/keyclass.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"

#define OTHERS	 (RIBBON_SET_OF(OTHER_LE) | RIBBON_SET_OF(OTHER_BE))
#define OWN_HASH "a type with a hash function of its own"

/* What to call a class, and many keys of it; the type to cast a key to. */
static const struct
{
	const char *name;
	const char *keys; /* NULL: the name, and "keys" */
	Oid type;
} classes[RIBBON_CLASSES] = {
	[RIBBON_CLASS_INTEGER] = {"integer", NULL, INT8OID},
	[RIBBON_CLASS_TEXT] = {"text", NULL, TEXTOID},
	[RIBBON_CLASS_BYTEA] = {"bytea", NULL, BYTEAOID},
	[RIBBON_CLASS_UUID] = {"uuid", NULL, UUIDOID},
	[RIBBON_CLASS_BOOL] = {"bool", NULL, BOOLOID},
	[RIBBON_CLASS_DATE] = {"date", NULL, DATEOID},
	[RIBBON_CLASS_TIME] = {"time", NULL, TIMEOID},
	[RIBBON_CLASS_TIMESTAMP] = {"timestamp", NULL, TIMESTAMPOID},
	[RIBBON_CLASS_TIMESTAMPTZ] = {"timestamptz", NULL, TIMESTAMPTZOID},
	[RIBBON_CLASS_OID] = {"oid", NULL, OIDOID},
	[RIBBON_CLASS_FLOAT] = {"float", NULL, FLOAT8OID},
	[RIBBON_CLASS_MACADDR] = {"macaddr", NULL, MACADDROID},
	[RIBBON_CLASS_MACADDR8] = {"macaddr8", NULL, MACADDR8OID},
	[RIBBON_CLASS_NUMERIC] = {"numeric", NULL, NUMERICOID},
	[RIBBON_CLASS_INTERVAL] = {"interval", NULL, INTERVALOID},
	[RIBBON_CLASS_INET] = {"inet", NULL, INETOID},
	[RIBBON_CLASS_ENUM] = {"enum", NULL, InvalidOid},
	[RIBBON_CLASS_CHAR_N] = {"char(n)", NULL, TEXTOID},
	[RIBBON_CLASS_TIMETZ] = {"timetz", NULL, TIMETZOID},
	[RIBBON_CLASS_XID8] = {"xid8", NULL, XID8OID},
	[RIBBON_CLASS_PG_LSN] = {"pg_lsn", NULL, PG_LSNOID},
	[RIBBON_CLASS_BIT] = {"bit", NULL, VARBITOID},
	[RIBBON_CLASS_ARRAY] = {"array", "arrays", InvalidOid},
	[RIBBON_CLASS_ROW] = {"row", "rows", InvalidOid},
	[RIBBON_CLASS_RANGE] = {"range", "ranges", InvalidOid},
	[RIBBON_CLASS_MULTIRANGE] = {"multirange", "multiranges", InvalidOid},
	[RIBBON_CLASS_JSONB] = {"jsonb", NULL, JSONBOID},
	[RIBBON_CLASS_OTHER_LE] = {"other", "keys of " OWN_HASH, InvalidOid},
	[RIBBON_CLASS_OTHER_BE] = {"other", "keys of " OWN_HASH, InvalidOid},
};

const char *
ribbon_keyclass_objection(int key_class)
{
	if (!ribbon_key_class_is_valid(key_class))
		return "its key class is not valid";
	return ribbon_keyclass_name(key_class) == NULL ?
		"its key class is unknown" :
		NULL;
}

const char *
ribbon_keyclass_name(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].name;
}

Oid
ribbon_keyclass_type(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].type;
}

/* A part of keys that are described. */
static const char *
describe_part(int key_class)
{
	int proper = ribbon_key_class_of(key_class);

	if (classes[proper].name == NULL)
		return "any type";
	if (ribbon_keyclass_is_in(proper, OTHERS))
		return OWN_HASH;
	return classes[proper].keys != NULL ? ribbon_keyclass_describe(key_class) :
										  classes[proper].name;
}

const char *
ribbon_keyclass_describe(int key_class)
{
	int proper = ribbon_key_class_of(key_class);
	int parts = (int) ribbon_key_parts_of(key_class);
	StringInfoData text;

	if (classes[proper].keys == NULL)
		return psprintf("%s keys", classes[proper].name);
	if (parts == 0 || ribbon_keyclass_is_in(proper, OTHERS))
		return classes[proper].keys;
	if (proper != RIBBON_CLASS_ROW)
		return psprintf("%s of %s", classes[proper].keys, describe_part(parts));

	/* the first columns of rows, as in "integer, text, ..." */
	initStringInfo(&text);
	for (; parts > 0; parts >>= RIBBON_CLASS_BITS)
		appendStringInfo(&text, "%s, ",
						 describe_part(ribbon_key_class_of(parts)));
	return psprintf("rows of %s...", text.data);
}

int
ribbon_keyclass_join(int a, int b)
{
	int joined = ribbon_key_class_of(a);

	if (a == 0 || b == 0)
		return a | b;
	if (joined != ribbon_key_class_of(b))
		return RIBBON_CLASS_SEVERAL;
	for (int i = 0; i < RIBBON_CLASS_PARTS; i++)
		joined |= ribbon_keyclass_join(ribbon_key_class_part(a, i),
									   ribbon_key_class_part(b, i))
			<< ((i + 1) * RIBBON_CLASS_BITS);
	return joined;
}
