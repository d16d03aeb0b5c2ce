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

/* What to call a class, and the type to cast a key to that should be in it. */
static const struct
{
	const char *name;
	Oid cast; /* or InvalidOid: there is none, or more than one */
} classes[RIBBON_KEY_CLASSES] = {
	[RIBBON_CLASS_INTEGER] = {"integer", INT8OID},
	[RIBBON_CLASS_TEXT] = {"text", TEXTOID},
	[RIBBON_CLASS_BYTEA] = {"bytea", BYTEAOID},
	[RIBBON_CLASS_UUID] = {"uuid", UUIDOID},
	[RIBBON_CLASS_BOOL] = {"bool", BOOLOID},
	[RIBBON_CLASS_DATE] = {"date", DATEOID},
	[RIBBON_CLASS_TIME] = {"time", TIMEOID},
	[RIBBON_CLASS_TIMESTAMP] = {"timestamp", TIMESTAMPOID},
	[RIBBON_CLASS_TIMESTAMPTZ] = {"timestamptz", TIMESTAMPTZOID},
	[RIBBON_CLASS_OID] = {"oid", OIDOID},
	[RIBBON_CLASS_FLOAT] = {"float", FLOAT8OID},
	[RIBBON_CLASS_MACADDR] = {"macaddr", MACADDROID},
	[RIBBON_CLASS_MACADDR8] = {"macaddr8", MACADDR8OID},
	[RIBBON_CLASS_NUMERIC] = {"numeric", NUMERICOID},
	[RIBBON_CLASS_INTERVAL] = {"interval", INTERVALOID},
	[RIBBON_CLASS_INET] = {"inet", INETOID},
	[RIBBON_CLASS_ENUM] = {"enum", InvalidOid},
	[RIBBON_CLASS_CHAR_N] = {"char(n)", TEXTOID},
	[RIBBON_CLASS_TIMETZ] = {"timetz", TIMETZOID},
	[RIBBON_CLASS_XID8] = {"xid8", XID8OID},
	[RIBBON_CLASS_PG_LSN] = {"pg_lsn", PG_LSNOID},
	[RIBBON_CLASS_BIT] = {"bit", VARBITOID},
	[RIBBON_CLASS_ARRAY] = {"array", InvalidOid},
	[RIBBON_CLASS_ROW] = {"row", InvalidOid},
	[RIBBON_CLASS_RANGE] = {"range", InvalidOid},
	[RIBBON_CLASS_MULTIRANGE] = {"multirange", InvalidOid},
	[RIBBON_CLASS_JSONB] = {"jsonb", JSONBOID},
	[RIBBON_CLASS_OTHER_LE] = {"other", InvalidOid},
	[RIBBON_CLASS_OTHER_BE] = {"other", InvalidOid},
};

pg_noreturn static void report_mismatch(RibbonSqlType of, int filter_class,
										const RibbonKeyType *key_type);
static const char *describe(int key_class);
static const char *describe_parts(int key_class);
static const char *describe_columns(int columns);
static const char *hint_mismatch(RibbonSqlType of, int filter_class,
								 const RibbonKeyType *key_type);
static const char *hint_zone(RibbonSqlType of, int filter_class, int key_class);
static const char *hint_same_type(RibbonSqlType of);
static const char *hint_cast(const RibbonKeyType *key_type, Oid cast,
							 const char *condition);
static const char *iso_example(int key_class);
static bool is_compatible(int a, int b);
static bool is_known(int part);
static bool is_text(int key_class);
static bool has_lasting_text(int key_class);
static bool has_many_texts(int key_class);
static bool is_time(int key_class);
static bool has_zone(int key_class);

const char *
ribbon_keyclass_objection(int key_class)
{
	key_class = ribbon_key_class_of(key_class);
	if (key_class == RIBBON_CLASS_RETIRED_LE ||
		key_class == RIBBON_CLASS_RETIRED_BE)
		return "it was built by a pre-release, which hashed such keys differently; build again";
	if (classes[key_class].name == NULL)
		return "its key class is unknown";
	return NULL;
}

const char *
ribbon_keyclass_name(int key_class)
{
	return classes[ribbon_key_class_of(key_class)].name;
}

/*
 * A key type of class text becomes one of class char(n), and back; one of
 * char(n) by declaration stays what it is.
 */
bool
ribbon_keyclass_adapt(RibbonKeyType *key_type, RibbonSqlType of,
					  int filter_class)
{
	if (is_compatible(filter_class, key_type->key_class))
		return true;

	if (!is_text(filter_class) || !is_text(key_type->key_class) ||
		getBaseType(key_type->type) == BPCHAROID)
		report_mismatch(of, filter_class, key_type);

	key_type->key_class = filter_class;
	key_type->trims = filter_class == RIBBON_CLASS_CHAR_N;
	return false;
}

int
ribbon_keyclass_join(int a, int b)
{
	int of = ribbon_key_class_of(a);
	int parts[2] = {(int) ribbon_key_parts_of(a), (int) ribbon_key_parts_of(b)};
	int joined = 0;

	if (parts[0] == parts[1] || parts[1] == 0)
		return a;
	if (parts[0] == 0)
		return b;
	if (of != RIBBON_CLASS_ROW)
		joined = ribbon_key_class_of(parts[0]) ==
				ribbon_key_class_of(parts[1]) ?
			ribbon_keyclass_join(parts[0], parts[1]) :
			RIBBON_CLASS_SEVERAL;
	else
		for (int at = 0; at < RIBBON_KEY_PARTS_BITS;
			 at += RIBBON_KEY_CLASS_BITS)
		{
			int x = ribbon_key_class_of(parts[0] >> at);
			int y = ribbon_key_class_of(parts[1] >> at);

			joined |= (x == y || y == 0 ? x :
						   x == 0		? y :
										  RIBBON_CLASS_SEVERAL)
				<< at;
		}
	return of | joined << RIBBON_KEY_CLASS_BITS;
}

/* May keys of these classes be equal? */
static bool
is_compatible(int a, int b)
{
	int of = ribbon_key_class_of(a);
	int parts[2] = {(int) ribbon_key_parts_of(a), (int) ribbon_key_parts_of(b)};

	if (of != ribbon_key_class_of(b))
		return false;
	if (of != RIBBON_CLASS_ROW)
		return !is_known(parts[0]) || !is_known(parts[1]) ||
			is_compatible(parts[0], parts[1]);
	for (; parts[0] > 0 && parts[1] > 0;
		 parts[0] >>= RIBBON_KEY_CLASS_BITS, parts[1] >>= RIBBON_KEY_CLASS_BITS)
		if (is_known(parts[0]) && is_known(parts[1]) &&
			ribbon_key_class_of(parts[0]) != ribbon_key_class_of(parts[1]))
			return false;
	return true;
}

/* Is this the class of a part, or are there none, or several? */
static bool
is_known(int part)
{
	return ribbon_key_class_of(part) != 0 &&
		ribbon_key_class_of(part) != RIBBON_CLASS_SEVERAL;
}

static void
report_mismatch(RibbonSqlType of, int filter_class,
				const RibbonKeyType *key_type)
{
	const char *hint = hint_mismatch(of, filter_class, key_type);

	if (filter_class != RIBBON_CLASS_OTHER &&
		(filter_class == RIBBON_CLASS_OTHER_LE ||
		 filter_class == RIBBON_CLASS_OTHER_BE) &&
		key_type->key_class == RIBBON_CLASS_OTHER)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s was built on a machine of the other byte order",
						ribbon_sqltype_name(of)),
				 errdetail("Keys of type %s hash differently there.",
						   format_type_be(key_type->type)),
				 errhint("Build the %s here.", ribbon_sqltype_noun(of))));

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("%s of %s cannot be probed with a key of type %s",
					ribbon_sqltype_name(of), describe(filter_class),
					format_type_be(key_type->type)),
			 errhint("%s", hint)));
	pg_unreachable();
}

/* What a filter has, in words of SQL, as in "arrays of integer". */
static const char *
describe(int key_class)
{
	const char *plural = NULL;
	const char *name = ribbon_keyclass_name(key_class);
	int parts = (int) ribbon_key_parts_of(key_class);

	switch (ribbon_key_class_of(key_class))
	{
		case RIBBON_CLASS_ARRAY:
			plural = "arrays";
			break;
		case RIBBON_CLASS_ROW:
			plural = "rows";
			break;
		case RIBBON_CLASS_RANGE:
			plural = "ranges";
			break;
		case RIBBON_CLASS_MULTIRANGE:
			plural = "multiranges";
			break;
		case RIBBON_CLASS_OTHER_LE:
		case RIBBON_CLASS_OTHER_BE:
			return "keys of a type with a hash function of its own";
	}
	if (plural == NULL)
		return psprintf("%s keys", name);
	if (parts == 0)
		return plural;
	if (ribbon_key_class_of(key_class) == RIBBON_CLASS_ROW)
		return psprintf("%s of %s", plural, describe_columns(parts));
	return psprintf("%s of %s", plural, describe_parts(parts));
}

/* The first columns of a row, as in "integer, text, ...". */
static const char *
describe_columns(int columns)
{
	StringInfoData text;

	initStringInfo(&text);
	for (; columns > 0; columns >>= RIBBON_KEY_CLASS_BITS)
		appendStringInfo(&text, "%s, ",
						 is_known(columns) ?
							 describe_parts(ribbon_key_class_of(columns)) :
							 "any type");
	appendStringInfoString(&text, "...");
	return text.data;
}

static const char *
describe_parts(int key_class)
{
	if (ribbon_keyclass_objection(key_class) != NULL)
		return "an unknown type";
	switch (ribbon_key_class_of(key_class))
	{
		case RIBBON_CLASS_ARRAY:
		case RIBBON_CLASS_ROW:
		case RIBBON_CLASS_RANGE:
		case RIBBON_CLASS_MULTIRANGE:
			return describe(key_class);
		case RIBBON_CLASS_OTHER_LE:
		case RIBBON_CLASS_OTHER_BE:
			return "a type with a hash function of its own";
		default:
			return ribbon_keyclass_name(key_class);
	}
}

/*
 * The way out, which must not depend on a setting: no cast between types with
 * and without a time zone (TimeZone), none from text to dates (DateStyle), and
 * none to text but from types that are always written alike.
 */
static const char *
hint_mismatch(RibbonSqlType of, int filter_class, const RibbonKeyType *key_type)
{
	int key_class = ribbon_key_class_of(key_type->key_class);
	Oid cast = classes[ribbon_key_class_of(filter_class)].cast;
	Oid function;

	if (of == RIBBON_SQL_FILTER && key_class == RIBBON_CLASS_ARRAY &&
		ribbon_key_class_of(filter_class) != RIBBON_CLASS_ARRAY)
		return "To look up the elements of an array, use ribbon_contains_all or ribbon_contains_any.";
	if (ribbon_key_class_of(filter_class) == RIBBON_CLASS_ARRAY &&
		key_class != RIBBON_CLASS_ARRAY)
		return "Each key is a whole array; to put its elements in, build from unnest(array).";

	if (is_time(key_class) && is_time(filter_class) &&
		(has_zone(key_class) || has_zone(filter_class)))
		return hint_zone(of, filter_class, key_class);
	if (is_text(key_class) && filter_class == RIBBON_CLASS_TIMETZ)
		return hint_cast(key_type, cast, ", if it names its time zone");
	if (is_text(key_class) &&
		(filter_class == RIBBON_CLASS_DATE ||
		 filter_class == RIBBON_CLASS_TIMESTAMP ||
		 filter_class == RIBBON_CLASS_TIMESTAMPTZ ||
		 filter_class == RIBBON_CLASS_INTERVAL))
		return hint_cast(key_type, cast,
						 psprintf(", if it is written as ISO 8601 has it, such as %s",
								  iso_example(filter_class)));

	if (is_text(filter_class) && !is_text(key_class) &&
		(!has_lasting_text(key_class) || has_many_texts(key_class)))
		return psprintf("Make the key text in the way that the keys of the %s were made.",
						ribbon_sqltype_noun(of));

	if (key_class == RIBBON_CLASS_ROW &&
		ribbon_key_class_of(filter_class) == RIBBON_CLASS_ROW)
		return psprintf("Cast the columns of the row to the types that they had when the %s was built.",
						ribbon_sqltype_noun(of));

	/* an array of other elements */
	if (key_class == RIBBON_CLASS_ARRAY && key_type->parts != NULL)
	{
		int part = ribbon_key_class_of((int) ribbon_key_parts_of(filter_class));

		cast = has_lasting_text(part) && !is_time(part) ?
			get_array_type(classes[part].cast) :
			InvalidOid;
		key_class = ribbon_key_class_of(key_type->parts->key_class);
		filter_class = part;
	}

	/* what a float is as numeric has 15 digits of its 17 */
	if (key_class == RIBBON_CLASS_FLOAT && filter_class == RIBBON_CLASS_NUMERIC)
		return hint_same_type(of);
	if (OidIsValid(cast) &&
		find_coercion_pathway(cast, getBaseType(key_type->type),
							  COERCION_EXPLICIT,
							  &function) != COERCION_PATH_NONE)
		return hint_cast(key_type, cast, "");

	return hint_same_type(of);
}

/* To cast a key, or the array of keys that a call site takes. */
static const char *
hint_cast(const RibbonKeyType *key_type, Oid cast, const char *condition)
{
	Oid array = key_type->of_elements ? get_array_type(cast) : InvalidOid;

	if (OidIsValid(array))
		return psprintf("Cast the keys, as in keys::%s%s.",
						format_type_be(array), condition);
	return psprintf("Cast the key, as in key::%s%s.", format_type_be(cast),
					condition);
}

static const char *
hint_same_type(RibbonSqlType of)
{
	return psprintf("Use a key of the type that the %s was built from.",
					ribbon_sqltype_noun(of));
}

/*
 * From times with a time zone to times without, and back.  Without a word about
 * the zone the server takes TimeZone; AT TIME ZONE does that, too, with a date
 * or a time.
 */
static const char *
hint_zone(RibbonSqlType of, int filter_class, int key_class)
{
	static const struct
	{
		RibbonKeyClass key;
		RibbonKeyClass filter;
		const char *expression;
	} ways[] = {
		{RIBBON_CLASS_TIMESTAMPTZ, RIBBON_CLASS_TIMESTAMP,
		 "key AT TIME ZONE 'UTC'"},
		{RIBBON_CLASS_TIMESTAMPTZ, RIBBON_CLASS_DATE,
		 "(key AT TIME ZONE 'UTC')::date"},
		{RIBBON_CLASS_TIMESTAMPTZ, RIBBON_CLASS_TIME,
		 "(key AT TIME ZONE 'UTC')::time"},
		{RIBBON_CLASS_TIMESTAMP, RIBBON_CLASS_TIMESTAMPTZ,
		 "key AT TIME ZONE 'UTC'"},
		{RIBBON_CLASS_DATE, RIBBON_CLASS_TIMESTAMPTZ,
		 "key::timestamp AT TIME ZONE 'UTC'"},
		{RIBBON_CLASS_TIMETZ, RIBBON_CLASS_TIME,
		 "(key AT TIME ZONE 'UTC')::time"},
		{RIBBON_CLASS_TIME, RIBBON_CLASS_TIMETZ, "(key || '+00')::timetz"},
	};

	for (int i = 0; i < (int) lengthof(ways); i++)
		if (ways[i].key == key_class && ways[i].filter == filter_class)
			return psprintf("Convert the key with the time zone that is meant, as in %s.",
							ways[i].expression);
	return hint_same_type(of);
}

/* What a text that can be cast to this class looks like. */
static const char *
iso_example(int key_class)
{
	switch (key_class)
	{
		case RIBBON_CLASS_INTERVAL:
			return "P1DT12H";
		case RIBBON_CLASS_TIMESTAMPTZ:
			return "2001-02-28T12:00:00Z";
		default:
			return "2001-02-28";
	}
}

static bool
is_text(int key_class)
{
	return key_class == RIBBON_CLASS_TEXT || key_class == RIBBON_CLASS_CHAR_N;
}

/* Is the text of such values the same under all settings? */
static bool
has_lasting_text(int key_class)
{
	switch (key_class)
	{
		case RIBBON_CLASS_INTEGER:
		case RIBBON_CLASS_UUID:
		case RIBBON_CLASS_BOOL:
		case RIBBON_CLASS_OID:
		case RIBBON_CLASS_MACADDR:
		case RIBBON_CLASS_MACADDR8:
		case RIBBON_CLASS_NUMERIC:
		case RIBBON_CLASS_INET:
		case RIBBON_CLASS_ENUM:
		case RIBBON_CLASS_XID8:
		case RIBBON_CLASS_PG_LSN:
		case RIBBON_CLASS_BIT:
		case RIBBON_CLASS_TIME:
		case RIBBON_CLASS_TIMETZ:
		case RIBBON_CLASS_JSONB:
			return true;
		default:
			return false;
	}
}

/* Do equal values of a lasting text have several, as 1.0 and 1.00? */
static bool
has_many_texts(int key_class)
{
	return key_class == RIBBON_CLASS_NUMERIC || key_class == RIBBON_CLASS_JSONB;
}

static bool
is_time(int key_class)
{
	return key_class == RIBBON_CLASS_DATE || key_class == RIBBON_CLASS_TIME ||
		key_class == RIBBON_CLASS_TIMESTAMP || has_zone(key_class);
}

static bool
has_zone(int key_class)
{
	return key_class == RIBBON_CLASS_TIMESTAMPTZ ||
		key_class == RIBBON_CLASS_TIMETZ;
}
