/*
 * keyclass.c - which types can be keys, and which of them are alike
 *
 * A stored filter lives longer than the session, the machine or the server
 * version that built it, and equal keys must hash equally for all that time.
 * So every key type is put into a *class* with a canonical form (keyhash.c),
 * and the class is stored in the filter.  Types of one class answer for one
 * another: a filter built from int4 is probed with int8.  Types
 * without a form of their own are hashed by their extended hash function, as
 * class "other".
 *
 * What cannot be hashed for good is refused here, with the reason and the way
 * out: types that are OIDs underneath, text whose equality is wider than its
 * bytes (nondeterministic collations, citext), and whatever contains such a
 * type out of our reach.  An enum is fine as a key, where its label is
 * hashed, but not inside an array, where the server would hash its OID.
 * Likewise text: as a key it is hashed in UTF-8, but inside another type the
 * server hashes it in the encoding of the database.  So where that is another,
 * all types are refused but those that are known to hold no text.
 *
 * The decision takes catalog lookups, so a call site makes it once and keeps
 * it in fn_extra.
 */
#include "ribbon_pg.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

/* What to call a class, and the type to cast a key to that should be in it. */
static const struct
{
	const char *name;
	const char *cast;
} classes[RIBBON_MAX_KEY_CLASS + 1] = {
	[RIBBON_CLASS_INTEGER] = {"integer", "bigint"},
	[RIBBON_CLASS_TEXT] = {"text", "text"},
	[RIBBON_CLASS_BYTEA] = {"bytea", "bytea"},
	[RIBBON_CLASS_UUID] = {"uuid", "uuid"},
	[RIBBON_CLASS_BOOL] = {"bool", "boolean"},
	[RIBBON_CLASS_DATE] = {"date", "date"},
	[RIBBON_CLASS_TIME] = {"time", "time"},
	[RIBBON_CLASS_TIMESTAMP] = {"timestamp", "timestamp"},
	[RIBBON_CLASS_TIMESTAMPTZ] = {"timestamptz", "timestamptz"},
	[RIBBON_CLASS_OID] = {"oid", "oid"},
	[RIBBON_CLASS_FLOAT] = {"float", "float8"},
	[RIBBON_CLASS_MACADDR] = {"macaddr", "macaddr"},
	[RIBBON_CLASS_MACADDR8] = {"macaddr8", "macaddr8"},
	[RIBBON_CLASS_NUMERIC] = {"numeric", "numeric"},
	[RIBBON_CLASS_INTERVAL] = {"interval", "interval"},
	[RIBBON_CLASS_INET] = {"inet", "inet"},
	[RIBBON_CLASS_ENUM] = {"enum", NULL},
	[RIBBON_CLASS_OTHER_LE] = {"other", NULL},
	[RIBBON_CLASS_OTHER_BE] = {"other", NULL},
};

/* The types with a canonical form of their own, besides enums. */
static const struct
{
	Oid type;
	RibbonKeyClass key_class;
	RibbonKeyForm form;
} canonical[] = {
	{INT8OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT64},
	{INT4OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT32},
	{INT2OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT16},
	{TEXTOID, RIBBON_CLASS_TEXT, RIBBON_KEY_TEXT},
	{VARCHAROID, RIBBON_CLASS_TEXT, RIBBON_KEY_TEXT},
	{BPCHAROID, RIBBON_CLASS_TEXT, RIBBON_KEY_BPCHAR},
	{NAMEOID, RIBBON_CLASS_TEXT, RIBBON_KEY_NAME},
	{BYTEAOID, RIBBON_CLASS_BYTEA, RIBBON_KEY_BYTES},
	{UUIDOID, RIBBON_CLASS_UUID, RIBBON_KEY_FIXED},
	{BOOLOID, RIBBON_CLASS_BOOL, RIBBON_KEY_BOOL},
	{DATEOID, RIBBON_CLASS_DATE, RIBBON_KEY_WORD32},
	{TIMEOID, RIBBON_CLASS_TIME, RIBBON_KEY_INT64},
	{TIMESTAMPOID, RIBBON_CLASS_TIMESTAMP, RIBBON_KEY_INT64},
	{TIMESTAMPTZOID, RIBBON_CLASS_TIMESTAMPTZ, RIBBON_KEY_INT64},
	{OIDOID, RIBBON_CLASS_OID, RIBBON_KEY_WORD32},
	{FLOAT8OID, RIBBON_CLASS_FLOAT, RIBBON_KEY_FLOAT8},
	{FLOAT4OID, RIBBON_CLASS_FLOAT, RIBBON_KEY_FLOAT4},
	{MACADDROID, RIBBON_CLASS_MACADDR, RIBBON_KEY_FIXED},
	{MACADDR8OID, RIBBON_CLASS_MACADDR8, RIBBON_KEY_FIXED},
	{NUMERICOID, RIBBON_CLASS_NUMERIC, RIBBON_KEY_NUMERIC},
	{INTERVALOID, RIBBON_CLASS_INTERVAL, RIBBON_KEY_INTERVAL},
	{INETOID, RIBBON_CLASS_INET, RIBBON_KEY_INET},
	{CIDROID, RIBBON_CLASS_INET, RIBBON_KEY_INET},
	{BITOID, RIBBON_CLASS_OTHER, RIBBON_KEY_BITS},
	{VARBITOID, RIBBON_CLASS_OTHER, RIBBON_KEY_BITS},
	{CHAROID, RIBBON_CLASS_OTHER, RIBBON_KEY_CHAR},
};

/* The other types of the server that have a hash function and hold no text. */
static const Oid without_text[] = {
	TIDOID, XIDOID, CIDOID, XID8OID, PG_LSNOID, TIMETZOID,
};

static bool decide_canonical(RibbonKeyType *key_type, Oid base);
static void decide_other(RibbonKeyType *key_type, Oid base,
						 MemoryContext context);
static bool holds_rows(Oid type);
static void check_lasting(Oid key, Oid type, Oid collation);
static void check_columns_lasting(Oid key, TupleDesc columns);
static void check_collation(Oid key, Oid type, Oid collation);
static void check_hashable(Oid type);
static void check_encoding(Oid key, Oid type);
static bool is_without_text(Oid type);
static bool is_oid_alias(Oid type);
static bool is_citext(Oid type);
static Oid implicit_source_type(Node *call, int arg);
pg_noreturn static void refuse(Oid key, const char *detail, const char *hint);

bool
ribbon_keyclass_is_known(int key_class)
{
	return key_class >= 0 && key_class <= RIBBON_MAX_KEY_CLASS &&
		classes[key_class].name != NULL;
}

const char *
ribbon_keyclass_name(int key_class)
{
	return classes[key_class].name;
}

void
ribbon_keyclass_decide(RibbonKeyType *key_type, Oid type, Oid collation,
					   MemoryContext context)
{
	Oid base = getBaseType(type);

	key_type->type = InvalidOid; /* until we know that it can be a key */
	key_type->collation = collation;
	key_type->last.size = 0; /* was of another type */

	if (!decide_canonical(key_type, base))
		decide_other(key_type, base, context);

	key_type->type = type;
}

void
ribbon_keyclass_decide_argument(RibbonKeyType *key_type,
								FunctionCallInfo fcinfo, int arg)
{
	Oid type = get_fn_expr_argtype(fcinfo->flinfo, arg);
	Oid source = implicit_source_type(fcinfo->flinfo->fn_expr, arg);

	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the key")));

	/* citext gets to functions of text by an implicit cast */
	if (OidIsValid(source) && is_citext(source))
		type = source;

	ribbon_keyclass_decide(key_type, type, PG_GET_COLLATION(),
						   fcinfo->flinfo->fn_mcxt);
}

void
ribbon_keyclass_check_row(Oid row_type, int32 row_typmod)
{
	TupleDesc columns = lookup_rowtype_tupdesc(row_type, row_typmod);

	for (int i = 0; i < columns->natts; i++)
		if (!TupleDescAttr(columns, i)->attisdropped)
			check_hashable(TupleDescAttr(columns, i)->atttypid);
	check_columns_lasting(row_type, columns);

	ReleaseTupleDesc(columns);
}

void
ribbon_keyclass_mismatch(int filter_class, int key_class)
{
	const char *cast = classes[filter_class].cast;
	bool foreign = filter_class != RIBBON_CLASS_OTHER &&
		(filter_class == RIBBON_CLASS_OTHER_LE ||
		 filter_class == RIBBON_CLASS_OTHER_BE);

	if (foreign && key_class == RIBBON_CLASS_OTHER)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("ribbonfilter was built on a machine of the other byte order"),
				 errdetail("Keys of this type hash differently there."),
				 errhint("Build the filter here, or from keys cast to text.")));

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("ribbonfilter of %s keys cannot be probed with a key of class %s",
					classes[filter_class].name, classes[key_class].name),
			 cast != NULL ?
				 errhint("Cast the key, as in key::%s.", cast) :
				 errhint("Cast the key to the type that the filter was built from.")));
	pg_unreachable();
}

/* Decide if base has a canonical form of its own; false if it has none. */
static bool
decide_canonical(RibbonKeyType *key_type, Oid base)
{
	for (int i = 0; i < (int) lengthof(canonical); i++)
	{
		if (canonical[i].type != base)
			continue;

		key_type->key_class = canonical[i].key_class;
		key_type->form = canonical[i].form;
		key_type->length = get_typlen(base);
		if (key_type->key_class == RIBBON_CLASS_TEXT)
			check_collation(base, base, key_type->collation);
		return true;
	}

	if (get_typtype(base) == TYPTYPE_ENUM)
	{
		key_type->key_class = RIBBON_CLASS_ENUM;
		key_type->form = RIBBON_KEY_ENUM;
		return true;
	}

	return false;
}

/* Decide for class "other", or throw. */
static void
decide_other(RibbonKeyType *key_type, Oid base, MemoryContext context)
{
	key_type->key_class = RIBBON_CLASS_OTHER;

	/* the columns of an anonymous row are known when we have one */
	if (base == RECORDOID)
	{
		key_type->form = RIBBON_KEY_RECORD;
		key_type->row_type = InvalidOid;
		fmgr_info_cxt(F_HASH_RECORD_EXTENDED, &key_type->hash_proc, context);
		return;
	}

	check_hashable(base);
	check_lasting(base, base, key_type->collation);

	key_type->form = get_typlen(base) == -1 && !holds_rows(base) ?
		RIBBON_KEY_OTHER_VARLENA :
		RIBBON_KEY_OTHER;
	fmgr_info_cxt(lookup_type_cache(base, TYPECACHE_HASH_EXTENDED_PROC)
					  ->hash_extended_proc,
				  &key_type->hash_proc, context);
}

/*
 * Can the hash of the same bytes become another one?  That of a row does when
 * its type gets or loses a column: stored rows stay as they are.
 */
static bool
holds_rows(Oid type)
{
	Oid element;

	for (;;)
	{
		type = getBaseType(type);
		if (get_typtype(type) == TYPTYPE_COMPOSITE)
			return true;

		if (OidIsValid(element = get_element_type(type)))
			type = element;
		else if (type_is_range(type))
			type = get_range_subtype(type);
		else if (type_is_multirange(type))
			type = get_multirange_range(type);
		else
			return false;
	}
}

/*
 * Throw unless the hash function of type gives equal results for equal values
 * for as long as a filter may live.  type is the key type or a part of it.
 */
static void
check_lasting(Oid key, Oid type, Oid collation)
{
	Oid element;

	check_stack_depth();
	type = getBaseType(type);

	if (is_oid_alias(type) || type == ACLITEMOID)
		refuse(key,
			   psprintf("Values of type %s are object identifiers, which change when a database is dumped and restored.",
						format_type_be(type)),
			   "Cast the key to text, as in key::text.");

	if (get_typtype(type) == TYPTYPE_ENUM)
		refuse(key,
			   psprintf("Inside another type, values of enum %s are object identifiers, which change when a database is dumped and restored.",
						format_type_be(type)),
			   "Cast the key to text, as in key::text.");

	if (is_citext(type))
		refuse(key,
			   "Type citext compares by the case folding of the locale library, which is not the same everywhere and always.",
			   key == type ?
				   "Use lower(key), in the build and in the probe." :
				   "Cast the key to text, as in lower(key::text), in the build and in the probe.");

	if (type == CHAROID)
		refuse(key,
			   "Inside another type, the hash of a \"char\" depends on whether the machine's characters are signed.",
			   "Cast the key to text, as in key::text.");

	if (OidIsValid(element = get_element_type(type)))
		check_lasting(key, element, collation);
	else if (type_is_range(type))
		check_lasting(key, get_range_subtype(type), get_range_collation(type));
	else if (type_is_multirange(type))
		check_lasting(key, get_multirange_range(type), InvalidOid);
	else if (get_typtype(type) == TYPTYPE_COMPOSITE)
	{
		TupleDesc columns = lookup_rowtype_tupdesc(type, -1);

		check_columns_lasting(key, columns);
		ReleaseTupleDesc(columns);
	}
	else
	{
		check_encoding(key, type);
		if (type_is_collatable(type))
			check_collation(key, type, collation);
	}
}

static void
check_columns_lasting(Oid key, TupleDesc columns)
{
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped)
			check_lasting(key, column->atttypid, column->attcollation);
	}
}

/* Throw unless equal under this collation means equal bytes. */
static void
check_collation(Oid key, Oid type, Oid collation)
{
	if (!OidIsValid(collation))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_COLLATION),
				 errmsg("could not determine which collation to use for a ribbonfilter key"),
				 errhint("Use the COLLATE clause to set the collation explicitly.")));

	if (!get_collation_isdeterministic(collation))
		refuse(key,
			   psprintf("Under the nondeterministic collation \"%s\", equal strings can differ in their bytes.",
						get_collation_name(collation)),
			   key == type ?
				   "Use a deterministic collation, as in key COLLATE \"C\"." :
				   "Use text under a deterministic collation, as in key::text COLLATE \"C\".");
}

/*
 * Throw if the hash function of type, which has no parts that we know of, may
 * see characters in an encoding that the next database may not have.
 */
static void
check_encoding(Oid key, Oid type)
{
	if (GetDatabaseEncoding() == PG_UTF8 ||
		GetDatabaseEncoding() == PG_SQL_ASCII || is_without_text(type))
		return;

	if (type_is_collatable(type))
		refuse(key,
			   "Inside another type, characters are hashed in the encoding of the database, which can change when it is dumped and restored.",
			   "Cast the key to text, as in key::text.");

	/* jsonb and hstore sort names by their length in bytes */
	refuse(key,
		   psprintf("Any characters in a value of type %s are hashed in the encoding of the database, which can change when it is dumped and restored.",
					format_type_be(type)),
		   type == JSONBOID ?
			   "Cast the key to text, as in key::text, if the names in it are ASCII; the order of others depends on the encoding, too." :
			   "Cast the key to text, as in key::text, if that gives the same text in every encoding.");
}

/* Of a type that the server does not come with, we cannot know. */
static bool
is_without_text(Oid type)
{
	for (int i = 0; i < (int) lengthof(canonical); i++)
		if (canonical[i].type == type)
			return canonical[i].key_class != RIBBON_CLASS_TEXT;
	for (int i = 0; i < (int) lengthof(without_text); i++)
		if (without_text[i] == type)
			return true;
	return false;
}

static void
check_hashable(Oid type)
{
	if (!OidIsValid(lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC)
						->hash_extended_proc))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify an extended hash function for type %s",
						format_type_be(type)),
				 errhint("Cast the key to a type that has one, as in key::text.")));
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

/* citext has no fixed OID; it is the type of that name of that extension. */
static bool
is_citext(Oid type)
{
	Oid extension;
	HeapTuple tuple;
	bool named_so;
	char *extension_name;

	type = getBaseType(type);
	if (type < FirstNormalObjectId)
		return false;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	if (!HeapTupleIsValid(tuple))
		return false;
	named_so = strcmp(NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname),
					  "citext") == 0;
	ReleaseSysCache(tuple);
	if (!named_so)
		return false;

	extension = getExtensionOfObject(TypeRelationId, type);
	if (!OidIsValid(extension))
		return false;
	extension_name = get_extension_name(extension);
	return extension_name != NULL && strcmp(extension_name, "citext") == 0;
}

/*
 * The type that an argument had before an implicit cast without a function, or
 * InvalidOid; of an array after ANY or ALL, the type of its elements.
 *
 * Of what the planner folds nothing is left to see: 'x'::citext arrives as
 * text, as does a parameter whose value the plan is made for, and x::citext of
 * a column of text; it is compared with the keys as text.  And of a cast that
 * is followed by COLLATE the planner forgets if it was an explicit one.
 */
static Oid
implicit_source_type(Node *call, int arg)
{
	List *args;
	Node *cast;

	if (call != NULL && IsA(call, FuncExpr))
		args = ((FuncExpr *) call)->args;
	else if (call != NULL && IsA(call, OpExpr))
		args = ((OpExpr *) call)->args;
	else if (call != NULL && IsA(call, ScalarArrayOpExpr))
		args = ((ScalarArrayOpExpr *) call)->args;
	else
		return InvalidOid;

	if (arg >= list_length(args))
		return InvalidOid;

	cast = list_nth(args, arg);
	if (IsA(cast, RelabelType))
	{
		RelabelType *relabel = (RelabelType *) cast;

		if (relabel->relabelformat == COERCE_IMPLICIT_CAST)
			return exprType((Node *) relabel->arg);
	}
	else if (IsA(cast, ArrayCoerceExpr))
	{
		ArrayCoerceExpr *coerce = (ArrayCoerceExpr *) cast;

		if (coerce->coerceformat == COERCE_IMPLICIT_CAST)
			return get_base_element_type(exprType((Node *) coerce->arg));
	}
	return InvalidOid;
}

static void
refuse(Oid key, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("type %s cannot be the key of a ribbonfilter",
					format_type_be(key)),
			 errdetail_internal("%s", detail), errhint("%s", hint)));
	pg_unreachable();
}
