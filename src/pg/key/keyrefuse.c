/*
 * keyrefuse.c - why a type cannot be a key, and what to use instead
 *
 * Refused is what would not have the same hash for as long as a filter lives:
 * types that are object identifiers underneath, which change with a dump and
 * restore; text whose equality is wider than its bytes (nondeterministic
 * collations, citext); characters that only the type's own hash function sees,
 * in an encoding that the next database may not have; and types without an
 * equality, or without a hash function.
 *
 * An error names the part of the key that is the reason.  What a hint advises
 * must not depend on a setting either (search_path, TimeZone, DateStyle,
 * IntervalStyle, extra_float_digits, bytea_output, lc_monetary): what hashes
 * differently tomorrow is a member denied.  So "cast it to text" is good advice
 * for few types; where there is none, there is no hint.
 */
#include "key/keyform.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "commands/extension.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* Built-in types without a hash function, and what to hash of them. */
static const struct
{
	Oid type;
	const char *cast; /* to cast it to that, or */
	const char *hint; /* something else */
} advice[] = {
	{JSONOID, "jsonb", NULL},
	{TSVECTOROID, "text", NULL},
	{TSQUERYOID, "text", NULL},
	{JSONPATHOID, "text", NULL},
	{PG_SNAPSHOTOID, "text", NULL},
	{POINTOID, NULL, "Use its coordinates, as in row(key[0], key[1])."},
	{LINEOID, NULL, "Use its coefficients, as in row(key[0], key[1], key[2])."},
	{LSEGOID, NULL,
	 "Use its coordinates, as in row((key[0])[0], (key[0])[1], (key[1])[0], (key[1])[1])."},
	{BOXOID, NULL,
	 "Use its coordinates, as in row((key[0])[0], (key[0])[1], (key[1])[0], (key[1])[1])."},
	{CIRCLEOID, NULL,
	 "Use its coordinates, as in row((center(key))[0], (center(key))[1], radius(key))."},
	{MONEYOID, NULL,
	 "Store amounts as numeric, or use the bytes of the value, as in cash_send(key): what key::numeric is depends on lc_monetary."},
};

static const char *hint_cast(const RibbonKeyType *key_type, const char *cast,
							 const char *array_cast);
static const char *hint_lower(const RibbonKeyType *key_type);
static const char *hint_hashable(const RibbonKeyType *key_type, Oid base);
static bool has_equality_of(Oid class, Oid type);
static bool is_oid_alias(Oid type);
static bool is_of_extension(Oid type, const char *name, const char *extension);
static const char *describe_place(const RibbonKeyType *key_type);
static const RibbonKeyType *whole(const RibbonKeyType *key_type);
static const char *value_name(const RibbonKeyType *key_type);
static int detail_place(const RibbonKeyType *key_type);
static int hint_collation(const RibbonKeyType *key_type);
static int give_hint(const RibbonKeyType *key_type, const char *hint);
pg_noreturn static void refuse(const RibbonKeyType *key_type,
							   const char *reason, const char *hint);

void
ribbon_keyrefuse_check_type(const RibbonKeyType *key_type, Oid base)
{
	if (is_oid_alias(base))
		refuse(key_type,
			   psprintf("Values of type %s are object identifiers, which change when a database is dumped and restored.",
						format_type_be(base)),
			   hint_cast(key_type, "oid::bigint", "oid[]::bigint[]"));

	if (base == ACLITEMOID || base == PG_NODE_TREEOID ||
		base == PG_NDISTINCTOID || base == PG_DEPENDENCIESOID ||
		base == PG_MCV_LISTOID)
		refuse(key_type,
			   psprintf("Values of type %s hold object identifiers, which change when a database is dumped and restored.",
						format_type_be(base)),
			   NULL);

	if (is_of_extension(base, "citext", "citext"))
		refuse(key_type,
			   "Type citext compares by the case folding of the locale library, which is not the same everywhere and always.",
			   hint_lower(key_type));
}

void
ribbon_keyrefuse_check_collation(const RibbonKeyType *key_type)
{
	Oid collation = key_type->collation;

	if (!OidIsValid(collation))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_COLLATION),
				 errmsg("could not determine which collation to use for a %s key",
						value_name(key_type)),
				 detail_place(key_type), hint_collation(key_type)));

	if (!get_collation_isdeterministic(collation))
		refuse(key_type,
			   psprintf("Under the nondeterministic collation \"%s\", equal strings can differ in their bytes.",
						get_collation_name(collation)),
			   type_is_collatable(whole(key_type)->type) ?
				   "Use a deterministic collation, as in key COLLATE \"C\"." :
				   NULL);
}

/*
 * Bounds are compared by the operator class of the range type, which need not
 * be the one by which their type is compared elsewhere.  Classes that the
 * server has are fine if they have the same "=": text_pattern_ops is, for text,
 * but neither record_image_ops nor bpchar_ops, to which trailing blanks are
 * nothing.
 */
void
ribbon_keyrefuse_check_range(const RibbonKeyType *key_type, Oid range)
{
	HeapTuple tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(range));
	Oid class, subtype;

	if (!HeapTupleIsValid(tuple))
		return;
	class = ((Form_pg_range) GETSTRUCT(tuple))->rngsubopc;
	subtype = ((Form_pg_range) GETSTRUCT(tuple))->rngsubtype;
	ReleaseSysCache(tuple);

	if (class != GetDefaultOpClass(subtype, BTREE_AM_OID) &&
		(class >= FirstNormalObjectId || !has_equality_of(class, subtype)))
		refuse(key_type,
			   psprintf("Bounds of type %s are compared by an operator class that is not the default of their type.",
						format_type_be(range)),
			   NULL); /* its equality may be the wider one */
}

/* Is the "=" of a btree operator class the default one of this type? */
static bool
has_equality_of(Oid class, Oid type)
{
	Oid input = get_opclass_input_type(class);

	return lookup_type_cache(getBaseType(type), TYPECACHE_EQ_OPR)->eq_opr ==
		get_opfamily_member(get_opclass_family(class), input, input,
							BTEqualStrategyNumber);
}

Oid
ribbon_keyrefuse_hash_function(const RibbonKeyType *key_type, Oid base)
{
	Oid function = lookup_type_cache(base, TYPECACHE_HASH_EXTENDED_PROC)
					   ->hash_extended_proc;

	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify an extended hash function for type %s",
						format_type_be(base)),
				 detail_place(key_type),
				 give_hint(key_type, hint_hashable(key_type, base))));

	if (GetDatabaseEncoding() != PG_UTF8 &&
		GetDatabaseEncoding() != PG_SQL_ASCII)
		refuse(key_type,
			   psprintf("Any characters in a value of type %s are hashed in the encoding of the database, which can change when it is dumped and restored.",
						format_type_be(base)),
			   is_of_extension(base, "hstore", "hstore") ?
				   hint_cast(key_type, "jsonb", "jsonb[]") :
				   NULL);

	if (type_is_collatable(base))
		ribbon_keyrefuse_check_collation(key_type);
	return function;
}

void
ribbon_keyrefuse_native(const RibbonKeyType *part)
{
	refuse(part,
		   psprintf("The hash function of type %s may depend on the byte order of the machine, of which the type of the key says nothing.",
					format_type_be(part->type)),
		   "Use a composite type that has such a column.");
}

/* Advise a cast of a key, or of an array of such elements. */
static const char *
hint_cast(const RibbonKeyType *key_type, const char *cast,
		  const char *array_cast)
{
	if (key_type->outer == NULL)
		return psprintf("Cast the key, as in key::%s.", cast);
	if (key_type->outer->form == RIBBON_KEY_ARRAY &&
		key_type->outer->outer == NULL)
		return psprintf("Cast the array, as in key::%s.", array_cast);
	return NULL;
}

/*
 * For citext.  The text of a row can depend on settings, by its other columns.
 */
static const char *
hint_lower(const RibbonKeyType *key_type)
{
	if (key_type->outer == NULL)
		return "Use lower(key), in the build and in the probe.";
	if (key_type->outer->outer == NULL)
		return "Cast the key to text, as in lower(key::text), in the build and in the probe.";
	return NULL;
}

static const char *
hint_hashable(const RibbonKeyType *key_type, Oid base)
{
	for (int i = 0; i < (int) lengthof(advice); i++)
	{
		if (advice[i].type != base)
			continue;
		if (advice[i].cast != NULL)
			return hint_cast(key_type, advice[i].cast,
							 psprintf("%s[]", advice[i].cast));
		return key_type->outer == NULL ? advice[i].hint : NULL;
	}
	return NULL;
}

/* regclass, regproc and their kin: built in, and named so. */
static bool
is_oid_alias(Oid type)
{
	HeapTuple tuple;
	bool result;

	if (type >= FirstGenbkiObjectId)
		return false;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		return false;
	result = strncmp(NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname), "reg",
					 3) == 0;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Such types have no fixed OID: is it the type of that name of that extension?
 */
static bool
is_of_extension(Oid type, const char *name, const char *extension)
{
	HeapTuple tuple;
	bool named_so;
	Oid owner;
	char *owner_name;

	if (type < FirstNormalObjectId)
		return false;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		return false;
	named_so = strcmp(NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname),
					  name) == 0;
	ReleaseSysCache(tuple);
	if (!named_so)
		return false;

	owner = getExtensionOfObject(TypeRelationId, type);
	if (!OidIsValid(owner))
		return false;
	owner_name = get_extension_name(owner);
	return owner_name != NULL && strcmp(owner_name, extension) == 0;
}

/* The type that the key has. */
static const RibbonKeyType *
whole(const RibbonKeyType *key_type)
{
	while (key_type->outer != NULL)
		key_type = key_type->outer;
	return key_type;
}

/* Which part of the key this is, as in 'column "m" of the elements'. */
static const char *
describe_place(const RibbonKeyType *key_type)
{
	StringInfoData text;

	initStringInfo(&text);
	for (; key_type->outer != NULL; key_type = key_type->outer)
	{
		if (text.len > 0)
			appendStringInfoString(&text, " of ");
		if (key_type->column != NULL)
			appendStringInfo(&text, "column \"%s\"", key_type->column);
		else if (key_type->outer->form == RIBBON_KEY_ARRAY)
			appendStringInfoString(&text, "the elements");
		else
			appendStringInfoString(&text, "the bounds");
	}
	return text.data;
}

/* What the key is of. */
static const char *
value_name(const RibbonKeyType *key_type)
{
	return whole(key_type)->of_map ? "ribbonmap" : "ribbonfilter";
}

/* The place as errdetail, if it is not the key itself. */
static int
detail_place(const RibbonKeyType *key_type)
{
	const RibbonKeyType *key = whole(key_type);

	if (key == key_type)
		return 0;
	return errdetail("It is that of %s of a key of type %s.",
					 describe_place(key_type),
					 format_type_be(getBaseType(key->type)));
}

/* Where COLLATE goes: a column of statistics, of type anyarray, takes none. */
static int
hint_collation(const RibbonKeyType *key_type)
{
	if (key_type->outer != NULL &&
		getBaseType(key_type->outer->type) == ANYARRAYOID)
		return errhint("Cast the array, as in key::text::text[].");
	return errhint("Use the COLLATE clause to set the collation explicitly.");
}

/* Advice as errhint, if there is any.  Of a row, one can take other columns. */
static int
give_hint(const RibbonKeyType *key_type, const char *hint)
{
	const RibbonKeyType *key = whole(key_type);

	if (key != key_type && key->form == RIBBON_KEY_ROW)
		hint = "Use a column of the row, or several, as in row(a, b).";
	return hint != NULL ? errhint("%s", hint) : 0;
}

static void
refuse(const RibbonKeyType *key_type, const char *reason, const char *hint)
{
	const RibbonKeyType *key = whole(key_type);

	if (key != key_type)
		reason = psprintf("This is because of %s.  %s",
						  describe_place(key_type), reason);
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("type %s cannot be the key of a %s",
					format_type_be(getBaseType(key->type)),
					value_name(key_type)),
			 errdetail_internal("%s", reason), give_hint(key_type, hint)));
	pg_unreachable();
}
