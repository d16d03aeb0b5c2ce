/*
 * keymismatch.c - a key is looked up in a filter or map of another class
 *
 * Text can be looked up in filters of char(n): it is compared without its
 * trailing blanks then, as the server does it.  All else is an error with the
 * way out, never a silent no.  (But the types of class "other" are not told
 * apart.)
 */
#include "key/key.h"

#include "catalog/pg_type_d.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* Sets of classes. */
#define SET(name) RIBBON_SET_OF(name)
#define ALL		  UINT32_MAX
#define TEXTS	  (SET(TEXT) | SET(CHAR_N))
#define ZONED	  (SET(TIMESTAMPTZ) | SET(TIMETZ))
#define TIMES	  (SET(DATE) | SET(TIME) | SET(TIMESTAMP) | ZONED)

/* Equal values have one text, under all settings. */
#define ONE_TEXT \
	(SET(INTEGER) | SET(UUID) | SET(BOOL) | SET(OID) | SET(MACADDR) | \
	 SET(MACADDR8) | SET(INET) | SET(ENUM) | SET(XID8) | SET(PG_LSN) | \
	 SET(BIT) | SET(TIME) | SET(TIMETZ))

#define ZONED_AS(expression) \
	"Convert the key with the time zone that is meant, as in " expression "."
#define IF_ISO(example) \
	.condition = ", if %s is written in ISO 8601, such as " example
#define IF_ALONE(part) .condition = ", if only the " part " counts"

/*
 * The way out, by the class of the key and that of the filter; the first one
 * that fits.  It must not depend on a setting: no cast between types with and
 * without a time zone (TimeZone; AT TIME ZONE takes that, too, with a date or a
 * time), none from text to dates (DateStyle), and none to text but from types
 * that are always written alike.  And a cast that rounds or cuts would turn
 * another key into a member: it has a condition, or is not advised.
 */
static const struct
{
	uint32 key;
	uint32 filter;
	const char *advice;	   /* %s: filter or map; NULL: a cast, perhaps */
	const char *condition; /* of a cast, %s: the key; NULL: none is advised */
} ways_out[] = {
	{~SET(ARRAY), SET(ARRAY),
	 .advice =
		 "Each key is a whole array; to put its elements in, build from unnest(array)."},
	{SET(TIMESTAMPTZ), SET(TIMESTAMP),
	 .advice = ZONED_AS("key AT TIME ZONE 'UTC'")},
	{SET(TIMESTAMPTZ), SET(DATE),
	 .advice = ZONED_AS("(key AT TIME ZONE 'UTC')::date")},
	{SET(TIMESTAMPTZ), SET(TIME),
	 .advice = ZONED_AS("(key AT TIME ZONE 'UTC')::time")},
	{SET(TIMESTAMP), SET(TIMESTAMPTZ),
	 .advice = ZONED_AS("key AT TIME ZONE 'UTC'")},
	{SET(DATE), SET(TIMESTAMPTZ),
	 .advice = ZONED_AS("key::timestamp AT TIME ZONE 'UTC'")},
	{SET(TIMETZ), SET(TIME),
	 .advice = ZONED_AS("(key AT TIME ZONE 'UTC')::time")},
	{SET(TIME), SET(TIMETZ), .advice = ZONED_AS("(key || '+00')::timetz")},
	{ZONED, TIMES, .advice = NULL},
	{TIMES, ZONED, .advice = NULL},
	{TEXTS, SET(TIMETZ),
	 .condition = ", if %s has its offset from UTC, such as 12:00:00+00"},
	{TEXTS, SET(DATE) | SET(TIMESTAMP), IF_ISO("2001-02-28")},
	{TEXTS, SET(TIMESTAMPTZ), IF_ISO("2001-02-28T12:00:00Z")},
	{TEXTS, SET(INTERVAL), IF_ISO("P1DT12H")},
	{TEXTS, SET(BYTEA),
	 .advice =
		 "Convert the key to bytea: decode(key, 'hex') if it is hexadecimal digits, convert_to(key, 'UTF8') if the bytes are those of a text."},
	{~(ONE_TEXT | TEXTS), TEXTS,
	 .advice =
		 "Convert the key to text in the way that the keys of the %s were converted."},
	{SET(ROW), SET(ROW),
	 .advice =
		 "Cast the columns of the row to the types that they had when the %s was built."},
	{TEXTS, SET(JSONB),
	 .advice =
		 "Convert the key to jsonb: key::jsonb if it is written as JSON, to_jsonb(key) if it is the text of a string."},
	{SET(NUMERIC) | SET(FLOAT) | SET(JSONB), SET(INTEGER),
	 .condition = ", if %s is a whole number"},
	{SET(TIMESTAMP), SET(DATE), IF_ALONE("day")},
	{SET(TIMESTAMP) | SET(INTERVAL), SET(TIME), IF_ALONE("time of day")},
	{SET(INTEGER), SET(BOOL), .advice = NULL},	/* 2 becomes true */
	{SET(FLOAT), SET(NUMERIC), .advice = NULL}, /* 15 digits of 17 */
	{ALL, ALL, .condition = ""},
};

static const char *
hint_mismatch(int filter_class, const RibbonKeyHasher *hasher)
{
	const RibbonKeyType *key_type = &hasher->type;
	const char *noun = ribbon_sqltype_noun(hasher->owner);
	const char *otherwise =
		psprintf("Use a key of the type that the %s was built from.", noun);
	int key = ribbon_key_class_proper(hasher->last_class);
	int filter = ribbon_key_class_proper(filter_class);
	bool arrays = key == RIBBON_CLASS_ARRAY && filter == RIBBON_CLASS_ARRAY &&
		key_type->nparts > 0;
	Oid cast = ribbon_keyplain_type(filter);
	Oid function;
	bool several;
	int i = 0;

	/* maps have no such functions */
	if (key == RIBBON_CLASS_ARRAY && filter != RIBBON_CLASS_ARRAY &&
		hasher->owner == RIBBON_SQL_FILTER)
		return "To look up the elements of an array, use ribbon_contains_all or ribbon_contains_any.";

	/*
	 * to an array of other elements, if their text lasts and no zone matters;
	 * conditions are about a single key
	 */
	if (arrays)
	{
		key = key_type->parts->key_class;
		filter = (int) ribbon_key_class_parts(filter_class);
		if (!ribbon_keyclass_is_in(filter, (ONE_TEXT | SET(NUMERIC)) & ~TIMES))
			return otherwise;
		cast = get_array_type(ribbon_keyplain_type(filter));
	}
	while (!ribbon_keyclass_is_in(key, ways_out[i].key) ||
		   !ribbon_keyclass_is_in(filter, ways_out[i].filter))
		i++;
	if (ways_out[i].advice != NULL)
		return psprintf(ways_out[i].advice, noun);
	if (ways_out[i].condition == NULL ||
		(arrays && ways_out[i].condition[0] != '\0') || !OidIsValid(cast) ||
		find_coercion_pathway(cast, key_type->base->type_id, COERCION_EXPLICIT,
							  &function) == COERCION_PATH_NONE)
		return otherwise;
	several = hasher->takes_arrays && OidIsValid(get_array_type(cast));
	return psprintf(several ? "Cast the keys, as in keys::%s[]%s." :
							  "Cast the key, as in key::%s%s.",
					format_type_be(cast),
					psprintf(ways_out[i].condition, several ? "each" : "it"));
}

/* A ribbonkey cannot be cast, but the key that it is made from. */
static const char *
hint_hashed(int filter_class, const RibbonKeyHasher *hasher)
{
	Oid cast = ribbon_keyplain_type(filter_class);
	const char *type = filter_class == RIBBON_CLASS_CHAR_N ? "char(n)" :
		OidIsValid(cast) ? format_type_be(cast) :
						   NULL;

	return psprintf("Make the ribbonkey from a key of the type that the %s was built from%s.",
					ribbon_sqltype_noun(hasher->owner),
					type == NULL ?
						"" :
						psprintf(", as in ribbon_key(key::%s)", type));
}

pg_noreturn static void
report_mismatch(int filter_class, const RibbonKeyHasher *hasher)
{
	const RibbonKeyType *key_type = &hasher->type;
	const char *type = format_type_be(key_type->type);
	bool hashed = key_type->form == RIBBON_FORM_HASHED;

	if (ribbon_keyclass_is_in(filter_class, RIBBON_SET_OF_OTHERS) &&
		hasher->last_class == RIBBON_CLASS_OTHER &&
		(hashed || key_type->form == RIBBON_FORM_OTHER))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s was built on a machine with the other byte order",
						ribbon_sqltype_name(hasher->owner)),
				 errdetail("Keys of type %s hash differently there.", type),
				 errhint("Build the %s here.",
						 ribbon_sqltype_noun(hasher->owner))));

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("%s of %s cannot be probed with a %s %s",
					ribbon_sqltype_name(hasher->owner),
					ribbon_keyclass_describe(filter_class),
					hashed ? "ribbonkey of" : "key of type",
					hashed ? ribbon_keyclass_describe(hasher->last_class) :
							 type),
			 errhint("%s",
					 hashed ? hint_hashed(filter_class, hasher) :
							  hint_mismatch(filter_class, hasher))));
}

/* Text is hashed as char(n), or as text again; char(n) stays what it is. */
bool
ribbon_keymismatch_adapt(RibbonKeyHasher *hasher, const RibbonFilter *filter)
{
	bool fits = hasher->seed == filter->seed;

	hasher->seed = filter->seed;
	if (ribbon_key_class_agree(filter->key_class, hasher->last_class))
		return fits;

	if (hasher->type.base->type_id == BPCHAROID ||
		!ribbon_keyclass_is_in(hasher->type.key_class, TEXTS) ||
		!ribbon_keyclass_is_in(filter->key_class, TEXTS))
		report_mismatch(filter->key_class, hasher);
	hasher->type.key_class = hasher->last_class = filter->key_class;
	return false;
}
