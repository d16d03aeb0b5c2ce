/*
 * keyclass.c - in which filters can a key be looked up, and in which maps?
 *
 * In those of its class.  Besides, text can be looked up in filters of char(n):
 * it is compared without its trailing blanks then, as the server does it.  All
 * else is an error with the way out, never a silent no.
 */
#include "key/key.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define OF_OTHERS "keys of a type with a hash function of its own"

/*
 * What to call a class, and many keys of it; the type to cast a key to that
 * should be in it, or InvalidOid: there is none, or more than one.
 */
static const struct
{
	const char *name;
	const char *keys; /* NULL: the name, and "keys" */
	Oid cast;
} classes[RIBBON_KEY_CLASSES] = {
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
	[RIBBON_CLASS_OTHER_LE] = {"other", OF_OTHERS, InvalidOid},
	[RIBBON_CLASS_OTHER_BE] = {"other", OF_OTHERS, InvalidOid},
};

/* Sets of classes. */
#define SET(name) (UINT32_C(1) << RIBBON_CLASS_##name)
#define ALL		  UINT32_MAX
#define TEXTS	  (SET(TEXT) | SET(CHAR_N))
#define ZONED	  (SET(TIMESTAMPTZ) | SET(TIMETZ))
#define TIMES	  (SET(DATE) | SET(TIME) | SET(TIMESTAMP) | ZONED)
#define OTHERS	  (SET(OTHER_LE) | SET(OTHER_BE))

/*
 * Equal values have one text, under all settings; or several, as 1.0 and 1.00.
 */
#define ONE_TEXT \
	(SET(INTEGER) | SET(UUID) | SET(BOOL) | SET(OID) | SET(MACADDR) | \
	 SET(MACADDR8) | SET(INET) | SET(ENUM) | SET(XID8) | SET(PG_LSN) | \
	 SET(BIT) | SET(TIME) | SET(TIMETZ))
#define SOME_TEXTS (SET(NUMERIC) | SET(JSONB))

#define ZONE(expression) \
	"Convert the key with the time zone that is meant, as in " expression ".", \
		NULL
#define ISO(example) NULL, ", if it is written in ISO 8601, such as " example

/*
 * The way out, by the class of the key and that of the filter; the first one
 * that fits.  It must not depend on a setting: no cast between types with and
 * without a time zone (TimeZone; AT TIME ZONE takes that, too, with a date or a
 * time), none from text to dates (DateStyle), and none to text but from types
 * that are always written alike.
 */
static const struct
{
	uint32 key;
	uint32 filter;
	const char *advice;	   /* %s: filter or map; NULL: a cast */
	const char *condition; /* of a cast; NULL: none is advised, either */
} ways[] = {
	/* of filters alone */
	{SET(ARRAY), ~SET(ARRAY),
	 "To look up the elements of an array, use ribbon_contains_all or ribbon_contains_any.",
	 NULL},
	{~SET(ARRAY), SET(ARRAY),
	 "Each key is a whole array; to put its elements in, build from unnest(array).",
	 NULL},
	{SET(TIMESTAMPTZ), SET(TIMESTAMP), ZONE("key AT TIME ZONE 'UTC'")},
	{SET(TIMESTAMPTZ), SET(DATE), ZONE("(key AT TIME ZONE 'UTC')::date")},
	{SET(TIMESTAMPTZ), SET(TIME), ZONE("(key AT TIME ZONE 'UTC')::time")},
	{SET(TIMESTAMP), SET(TIMESTAMPTZ), ZONE("key AT TIME ZONE 'UTC'")},
	{SET(DATE), SET(TIMESTAMPTZ), ZONE("key::timestamp AT TIME ZONE 'UTC'")},
	{SET(TIMETZ), SET(TIME), ZONE("(key AT TIME ZONE 'UTC')::time")},
	{SET(TIME), SET(TIMETZ), ZONE("(key || '+00')::timetz")},
	{ZONED, TIMES, NULL, NULL},
	{TIMES, ZONED, NULL, NULL},
	{TEXTS, SET(TIMETZ), NULL,
	 ", if it has its offset from UTC, such as 12:00:00+00"},
	{TEXTS, SET(DATE) | SET(TIMESTAMP), ISO("2001-02-28")},
	{TEXTS, SET(TIMESTAMPTZ), ISO("2001-02-28T12:00:00Z")},
	{TEXTS, SET(INTERVAL), ISO("P1DT12H")},
	{~(ONE_TEXT | TEXTS), TEXTS,
	 "Convert the key to text in the way that the keys of the %s were converted.",
	 NULL},
	{SET(ROW), SET(ROW),
	 "Cast the columns of the row to the types that they had when the %s was built.",
	 NULL},
	{SET(FLOAT), SET(NUMERIC), NULL, NULL}, /* 15 digits of 17 */
	{ALL, ALL, NULL, ""},
};

/* Is a class, without its parts, in a set? */
static bool
is_in(int key_class, uint32 set)
{
	return (set >> ribbon_key_class_of(key_class) & 1) != 0;
}

/* Is this the class of a part, or are there none, or several? */
static bool
is_known(int part)
{
	return ribbon_key_class_of(part) != 0 &&
		ribbon_key_class_of(part) != RIBBON_CLASS_SEVERAL;
}

const char *
ribbon_keyclass_objection(int key_class)
{
	return ribbon_keyclass_name(key_class) == NULL ?
		"its key class is unknown" :
		NULL;
}

const char *
ribbon_keyclass_name(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].name;
}

/*
 * The bits of each part's class, with the classes of its own parts: those of a
 * row's columns lie side by side, and all else has one kind of parts.
 */
static int
part_bits(int key_class)
{
	return ribbon_key_class_of(key_class) == RIBBON_CLASS_ROW ?
		RIBBON_KEY_CLASS_BITS :
		RIBBON_KEY_PARTS_BITS;
}

/* The class of one of its parts, which begins with this bit. */
static int
part_at(int key_class, int at)
{
	return key_class >> at & ((1 << part_bits(key_class)) - 1);
}

int
ribbon_keyclass_join(int a, int b)
{
	int joined = ribbon_key_class_of(a);

	if (a == 0 || b == 0)
		return a | b;
	if (joined != ribbon_key_class_of(b))
		return RIBBON_CLASS_SEVERAL;
	for (int at = RIBBON_KEY_CLASS_BITS;
		 at < RIBBON_KEY_CLASS_BITS + RIBBON_KEY_PARTS_BITS; at += part_bits(a))
		joined |= ribbon_keyclass_join(part_at(a, at), part_at(b, at)) << at;
	return joined;
}

/*
 * Are they the same, as far as is known?  Rows are if any columns will do,
 * whatever theirs are.
 */
static bool
agree(int a, int b, bool any_columns)
{
	int of = ribbon_key_class_of(a);

	if (!is_known(a) || !is_known(b))
		return true;
	if (of != ribbon_key_class_of(b))
		return false;
	if (any_columns && of == RIBBON_CLASS_ROW)
		return true;
	for (int at = RIBBON_KEY_CLASS_BITS;
		 at < RIBBON_KEY_CLASS_BITS + RIBBON_KEY_PARTS_BITS; at += part_bits(a))
		if (!agree(part_at(a, at), part_at(b, at), any_columns))
			return false;
	return true;
}

bool
ribbon_keyclass_agree(int a, int b)
{
	return agree(a, b, false);
}

bool
ribbon_keyclass_mix(int a, int b)
{
	return agree(a, b, true);
}

static const char *
describe_part(int key_class)
{
	int of = ribbon_key_class_of(key_class);

	if (classes[of].name == NULL)
		return "any type";
	if (is_in(of, OTHERS))
		return "a type with a hash function of its own";
	return classes[of].keys != NULL ? ribbon_keyclass_describe(key_class) :
									  classes[of].name;
}

const char *
ribbon_keyclass_describe(int key_class)
{
	int of = ribbon_key_class_of(key_class);
	int parts = (int) ribbon_key_parts_of(key_class);
	StringInfoData text;

	if (classes[of].keys == NULL)
		return psprintf("%s keys", classes[of].name);
	if (parts == 0 || is_in(of, OTHERS))
		return classes[of].keys;
	if (of != RIBBON_CLASS_ROW)
		return psprintf("%s of %s", classes[of].keys, describe_part(parts));

	/* the first columns of rows, as in "integer, text, ..." */
	initStringInfo(&text);
	for (; parts > 0; parts >>= RIBBON_KEY_CLASS_BITS)
		appendStringInfo(&text, "%s, ",
						 describe_part(ribbon_key_class_of(parts)));
	return psprintf("rows of %s...", text.data);
}

/* Can keys of this type be cast to another? */
static bool
has_cast(const RibbonKeyType *key_type, Oid type)
{
	Oid function;

	return OidIsValid(type) &&
		find_coercion_pathway(type, getBaseType(key_type->type),
							  COERCION_EXPLICIT,
							  &function) != COERCION_PATH_NONE;
}

static const char *
hint_mismatch(int filter_class, const RibbonKeyType *key_type)
{
	const char *noun = ribbon_sqltype_noun(key_type->of);
	const char *otherwise =
		psprintf("Use a key of the type that the %s was built from.", noun);
	int key = ribbon_key_class_of(key_type->key_class);
	int filter = ribbon_key_class_of(filter_class);
	Oid cast = classes[filter].cast;
	int i = key_type->of == RIBBON_SQL_FILTER ? 0 : 1;

	/* to an array of other elements, if their text lasts and no zone matters */
	if (key == RIBBON_CLASS_ARRAY && filter == RIBBON_CLASS_ARRAY &&
		key_type->parts != NULL)
	{
		key = ribbon_key_class_of(key_type->parts->key_class);
		filter = ribbon_key_class_of((int) ribbon_key_parts_of(filter_class));
		if (!is_in(filter, (ONE_TEXT | SOME_TEXTS) & ~TIMES))
			return otherwise;
		i = 1;
		cast = get_array_type(classes[filter].cast);
	}
	while (!is_in(key, ways[i].key) || !is_in(filter, ways[i].filter))
		i++;
	if (ways[i].advice != NULL)
		return psprintf(ways[i].advice, noun);
	if (ways[i].condition == NULL || !has_cast(key_type, cast))
		return otherwise;
	if (key_type->of_elements && OidIsValid(get_array_type(cast)))
		return psprintf("Cast the keys, as in keys::%s[]%s.",
						format_type_be(cast), ways[i].condition);
	return psprintf("Cast the key, as in key::%s%s.", format_type_be(cast),
					ways[i].condition);
}

/* A ribbonkey cannot be cast, but the key that it is made from. */
static const char *
hint_hashed(int filter_class, const RibbonKeyType *key_type)
{
	Oid cast = classes[ribbon_key_class_of(filter_class)].cast;
	const char *type = filter_class == RIBBON_CLASS_CHAR_N ? "char(n)" :
		OidIsValid(cast) ? format_type_be(cast) :
						   NULL;

	return psprintf("Make the ribbonkey from a key of the type that the %s was built from%s.",
					ribbon_sqltype_noun(key_type->of),
					type == NULL ?
						"" :
						psprintf(", as in ribbon_key(key::%s)", type));
}

pg_noreturn static void
report_mismatch(int filter_class, const RibbonKeyType *key_type)
{
	bool hashed = key_type->form == RIBBON_KEY_HASHED;

	if (is_in(filter_class, OTHERS) && filter_class != RIBBON_CLASS_OTHER &&
		key_type->key_class == RIBBON_CLASS_OTHER)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s was built on a machine with the other byte order",
						ribbon_sqltype_name(key_type->of)),
				 errdetail("Keys of type %s hash differently there.",
						   format_type_be(key_type->type)),
				 errhint("Build the %s here.",
						 ribbon_sqltype_noun(key_type->of))));

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("%s of %s cannot be probed with a %s %s",
					ribbon_sqltype_name(key_type->of),
					ribbon_keyclass_describe(filter_class),
					hashed ? "ribbonkey of" : "key of type",
					hashed ? ribbon_keyclass_describe(key_type->key_class) :
							 format_type_be(key_type->type)),
			 errhint("%s",
					 hashed ? hint_hashed(filter_class, key_type) :
							  hint_mismatch(filter_class, key_type))));
	pg_unreachable();
}

/*
 * A key type of class text becomes one of class char(n), and back; one of
 * char(n) by declaration stays what it is.
 */
bool
ribbon_keyclass_adapt(RibbonKeyType *key_type, int filter_class)
{
	if (ribbon_keyclass_agree(filter_class, key_type->key_class))
		return true;

	if (key_type->form == RIBBON_KEY_HASHED || !is_in(filter_class, TEXTS) ||
		!is_in(key_type->key_class, TEXTS) ||
		getBaseType(key_type->type) == BPCHAROID)
		report_mismatch(filter_class, key_type);

	key_type->key_class = filter_class;
	return false;
}
