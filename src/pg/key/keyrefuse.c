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
 * for few types; of others the hint names the condition.
 */
#include "key/keytype.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_am.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "commands/extension.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * Why a type is refused (%s is its name), and what to use instead: of a key of
 * this type, of a key that is an array of it, and of one that has it elsewhere
 * inside.  All of these may be NULL.
 */
typedef struct Refusal
{
	Oid type;		 /* in refused_types: which one */
	const char *why; /* NULL: it has no extended hash function */
	const char *key;
	const char *array;
	const char *part;
} Refusal;

#define IDENTIFIERS \
	"object identifiers, which change when a database is dumped and restored."
#define HOLDS_IDENTIFIERS "Values of type %s hold " IDENTIFIERS
#define IN_DATABASE_ENCODING \
	"Any characters in a value of type %s are hashed in the encoding of the database, which can change when it is dumped and restored."
#define CAST(type) \
	.key = "Cast the key, as in key::" type ".", \
	.array = "Cast the array, as in key::" type "[]."
#define CORNERS \
	"Use its coordinates, as in row((key[0])[0], (key[0])[1], (key[1])[0], (key[1])[1])."
#define ANYWHERE(hint) .key = hint, .array = hint, .part = hint

/* By RibbonKeyRefusal. */
static const Refusal reasons[] = {
	[RIBBON_REFUSED_HASHED] =
		{.why =
			 "A value of type %s is the hash of a whole key, not a part of one.",
		 ANYWHERE("Make a ribbonkey of the whole key, as in ribbon_key(row(a, b)).")},
	[RIBBON_REFUSED_SET] =
		{.why = "A value of type %s is a set of keys, not a key.",
		 ANYWHERE("Build a filter of the keys of such sets with ribbon_build_keys.")},
	[RIBBON_REFUSED_NATIVE] =
		{.why =
			 "The hash function of type %s may depend on the byte order of the machine, of which the type of the key says nothing.",
		 ANYWHERE("Use a composite type that has such a column.")},
};

/* Of regclass and its kin. */
static const Refusal of_identifiers =
	{.why = "Values of type %s are " IDENTIFIERS,
	 .key = "Cast the key, as in key::oid::bigint.",
	 .array = "Cast the array, as in key::oid[]::bigint[]."};

static const Refusal of_citext =
	{.why =
		 "Type %s compares by the case folding of the locale library, which is not the same everywhere and always.",
	 .key = "Use lower(key), in the build and in the probe.",
	 .array =
		 "Cast the key to text, as in lower(key::text), in the build and in the probe."};

/* Of types without a hash function; that of ltree is of PostgreSQL 17. */
static const Refusal of_hashless = {
	ANYWHERE("Use a part of the value, or its text, as in key::text, if no setting changes this text.")};
static const Refusal of_ltree = {CAST("text")};

/* Where characters are not in UTF-8, of types that may have some. */
static const Refusal of_encoded = {.why = IN_DATABASE_ENCODING};
static const Refusal of_hstore = {.why = IN_DATABASE_ENCODING, CAST("jsonb")};

static const Refusal refused_types[] = {
	{.type = ACLITEMOID, .why = HOLDS_IDENTIFIERS},
	{.type = PG_NODE_TREEOID, .why = HOLDS_IDENTIFIERS},
	{.type = PG_NDISTINCTOID, .why = HOLDS_IDENTIFIERS},
	{.type = PG_DEPENDENCIESOID, .why = HOLDS_IDENTIFIERS},
	{.type = PG_MCV_LISTOID, .why = HOLDS_IDENTIFIERS},
	{.type = JSONOID, CAST("jsonb")},
	{.type = XMLOID, CAST("text")},
	{.type = TSVECTOROID, CAST("text")},
	{.type = TSQUERYOID, CAST("text")},
	{.type = JSONPATHOID, CAST("text")},
	{.type = PG_SNAPSHOTOID, CAST("text")},
	{.type = POINTOID,
	 .key = "Use its coordinates, as in row(key[0], key[1])."},
	{.type = LINEOID,
	 .key = "Use its coefficients, as in row(key[0], key[1], key[2])."},
	{.type = LSEGOID, .key = CORNERS},
	{.type = BOXOID, .key = CORNERS},
	{.type = CIRCLEOID,
	 .key =
		 "Use its coordinates, as in row((center(key))[0], (center(key))[1], radius(key))."},
	{.type = MONEYOID,
	 .key =
		 "Store amounts as numeric, or use the bytes of the value, as in cash_send(key): what key::numeric is depends on lc_monetary."},
};

/* The type that the key has. */
static const RibbonKeyType *
whole_key(const RibbonKeyType *key_type)
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
		else if (key_type->outer->form == RIBBON_FORM_ARRAY)
			appendStringInfoString(&text, "the elements");
		else
			appendStringInfoString(&text, "the bounds");
	}
	return text.data;
}

/* The place as errdetail, if it is not the key itself. */
static int
detail_place(const RibbonKeyType *key_type)
{
	if (key_type->outer == NULL)
		return 0;
	return errdetail("It is that of %s of a key of type %s.",
					 describe_place(key_type),
					 format_type_be(whole_key(key_type)->base->type_id));
}

/*
 * Throw: the type of a key is refused, or that of a part of it, for a reason
 * that has a %s for a name; or, if the reason is NULL, the type of this name
 * has no hash function.  Of a row, one can take other columns.
 */
pg_noreturn static void
refuse_key(const RibbonKeyType *key_type, const char *reason, const char *name,
		   const char *hint)
{
	const RibbonKeyType *key = whole_key(key_type);
	const char *why;

	if (key_type != key && key->form == RIBBON_FORM_ROW)
		hint = "Use a column of the row, or several, as in row(a, b).";
	if (reason == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify an extended hash function for type %s",
						name),
				 detail_place(key_type),
				 hint != NULL ? errhint("%s", hint) : 0));

	why = psprintf(reason, name);
	if (key_type != key)
		why = psprintf("This is because of %s.  %s", describe_place(key_type),
					   why);
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("type %s cannot be a key",
					format_type_be(key->base->type_id)),
			 errdetail_internal("%s", why),
			 hint != NULL ? errhint("%s", hint) : 0));
}

/*
 * The types of extensions have no fixed OID.  citext and hstore have one type
 * each that can be hashed.
 */
static bool
is_of_extension(Oid type, const char *name)
{
	Oid extension = type < FirstNormalObjectId ?
		InvalidOid :
		getExtensionOfObject(TypeRelationId, type);
	const char *found = OidIsValid(extension) ? get_extension_name(extension) :
												NULL;

	return found != NULL && strcmp(found, name) == 0;
}

pg_noreturn static void
refuse_with(const RibbonKeyType *key_type, const Refusal *refusal)
{
	const RibbonKeyType *outer = key_type->outer;

	refuse_key(key_type, refusal->why, format_type_be(key_type->base->type_id),
			   outer == NULL ? refusal->key :
				   outer->form == RIBBON_FORM_ARRAY && outer->outer == NULL ?
							   refusal->array :
							   refusal->part);
}

void
ribbon_keyrefuse(const RibbonKeyType *key_type, RibbonKeyRefusal reason)
{
	refuse_with(key_type, &reasons[reason]);
}

void
ribbon_keyrefuse_check_function(const RibbonKeyType *key_type)
{
	const TypeCacheEntry *base =
		lookup_type_cache(key_type->base->type_id,
						  TYPECACHE_BTREE_OPFAMILY |
							  TYPECACHE_HASH_EXTENDED_PROC_FINFO);
	Oid type = base->type_id;

	for (int i = 0; i < (int) lengthof(refused_types); i++)
		if (refused_types[i].type == type)
			refuse_with(key_type, &refused_types[i]);
	if (base->btree_opf == OID_BTREE_FAM_OID)
		refuse_with(key_type, &of_identifiers);
	if (is_of_extension(type, "citext"))
		refuse_with(key_type, &of_citext);
	if (!OidIsValid(base->hash_extended_proc))
		refuse_with(key_type,
					is_of_extension(type, "ltree") ? &of_ltree : &of_hashless);
	if (!ribbon_keytype_keeps_characters())
		refuse_with(key_type,
					is_of_extension(type, "hstore") ? &of_hstore : &of_encoded);
	if (type_is_collatable(type))
		ribbon_keyrefuse_check_collation(key_type);
}

void
ribbon_keyrefuse_check_collation(const RibbonKeyType *key_type)
{
	Oid collation = key_type->collation;

	/* a column of statistics, of type anyarray, takes no COLLATE */
	if (!OidIsValid(collation))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_COLLATION),
				 errmsg("could not determine which collation to use for the key"),
				 detail_place(key_type),
				 key_type->outer != NULL &&
						 key_type->outer->base->type_id == ANYARRAYOID ?
					 errhint("Cast the array, as in key::text::text[].") :
					 errhint("Use the COLLATE clause to set the collation explicitly.")));

	if (!get_collation_isdeterministic(collation))
		refuse_key(key_type,
				   "Under the nondeterministic collation \"%s\", equal strings can differ in their bytes.",
				   get_collation_name(collation),
				   type_is_collatable(whole_key(key_type)->type) ?
					   "Use a deterministic collation, as in key COLLATE \"C\"." :
					   NULL);
}

/*
 * Bounds are compared by the operator class of the range type, which need not
 * be the one by which their type is compared elsewhere.  Classes that the
 * server has are fine if they have the same "=": text_pattern_ops is, for text,
 * but neither record_image_ops nor bpchar_ops, to which trailing blanks are
 * nothing.  There is no hint: the range's equality may be the wider one.
 */
void
ribbon_keyrefuse_check_range(const RibbonKeyType *key_type)
{
	Oid range = ribbon_keytype_range(key_type)->type_id;
	HeapTuple tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(range));
	Oid class, subtype, input, equality;

	if (!HeapTupleIsValid(tuple))
		return;
	class = ((Form_pg_range) GETSTRUCT(tuple))->rngsubopc;
	subtype = ((Form_pg_range) GETSTRUCT(tuple))->rngsubtype;
	ReleaseSysCache(tuple);
	if (class == GetDefaultOpClass(subtype, BTREE_AM_OID))
		return;

	input = get_opclass_input_type(class);
	equality = get_opfamily_member(get_opclass_family(class), input, input,
								   BTEqualStrategyNumber);
	if (class >= FirstNormalObjectId ||
		equality !=
			lookup_type_cache(getBaseType(subtype), TYPECACHE_EQ_OPR)->eq_opr)
		refuse_key(key_type,
				   "Bounds of type %s are compared by an operator class that is not the default of their type.",
				   format_type_be(range), NULL);
}
