/*
 * keytype.c - the form and the class of a key type, and those of its parts
 *
 * Most built-in types have a form of their own (the table below).  Arrays,
 * rows, ranges and multiranges are made of parts, which are types in turn, to
 * any depth.  A type of an extension is hashed by its extended hash function,
 * as class "other".  That function sees numbers in the machine's byte order, so
 * "other" are two classes, one for each; and whatever contains such a part is
 * of that class, too.  What cannot be a key is keyrefuse.c's to say.
 *
 * The decision takes catalog lookups, so a call site makes it once and keeps
 * it in fn_extra.
 */
#include "key/keyform.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "key/keyhash.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* The types without parts that have a canonical form, besides enums. */
typedef struct CanonicalType
{
	Oid type;
	RibbonKeyClass key_class;
	RibbonKeyForm form;
} CanonicalType;

static const CanonicalType canonical[] = {
	{INT8OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT64},
	{INT4OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT32},
	{INT2OID, RIBBON_CLASS_INTEGER, RIBBON_KEY_INT16},
	{TEXTOID, RIBBON_CLASS_TEXT, RIBBON_KEY_TEXT},
	{VARCHAROID, RIBBON_CLASS_TEXT, RIBBON_KEY_TEXT},
	{NAMEOID, RIBBON_CLASS_TEXT, RIBBON_KEY_NAME},
	{UNKNOWNOID, RIBBON_CLASS_TEXT, RIBBON_KEY_NAME}, /* in a row */
	{BPCHAROID, RIBBON_CLASS_CHAR_N, RIBBON_KEY_TEXT},
	{BYTEAOID, RIBBON_CLASS_BYTEA, RIBBON_KEY_BYTES},
	{UUIDOID, RIBBON_CLASS_UUID, RIBBON_KEY_FIXED},
	{BOOLOID, RIBBON_CLASS_BOOL, RIBBON_KEY_BYTE},
	{DATEOID, RIBBON_CLASS_DATE, RIBBON_KEY_WORD32},
	{TIMEOID, RIBBON_CLASS_TIME, RIBBON_KEY_INT64},
	{TIMETZOID, RIBBON_CLASS_TIMETZ, RIBBON_KEY_TIMETZ},
	{TIMESTAMPOID, RIBBON_CLASS_TIMESTAMP, RIBBON_KEY_INT64},
	{TIMESTAMPTZOID, RIBBON_CLASS_TIMESTAMPTZ, RIBBON_KEY_INT64},
	{OIDOID, RIBBON_CLASS_OID, RIBBON_KEY_WORD32},
	{XID8OID, RIBBON_CLASS_XID8, RIBBON_KEY_INT64},
	{PG_LSNOID, RIBBON_CLASS_PG_LSN, RIBBON_KEY_INT64},
	{FLOAT8OID, RIBBON_CLASS_FLOAT, RIBBON_KEY_FLOAT8},
	{FLOAT4OID, RIBBON_CLASS_FLOAT, RIBBON_KEY_FLOAT4},
	{MACADDROID, RIBBON_CLASS_MACADDR, RIBBON_KEY_FIXED},
	{MACADDR8OID, RIBBON_CLASS_MACADDR8, RIBBON_KEY_FIXED},
	{NUMERICOID, RIBBON_CLASS_NUMERIC, RIBBON_KEY_NUMERIC},
	{INTERVALOID, RIBBON_CLASS_INTERVAL, RIBBON_KEY_INTERVAL},
	{INETOID, RIBBON_CLASS_INET, RIBBON_KEY_INET},
	{CIDROID, RIBBON_CLASS_INET, RIBBON_KEY_INET},
	{BITOID, RIBBON_CLASS_BIT, RIBBON_KEY_BITS},
	{VARBITOID, RIBBON_CLASS_BIT, RIBBON_KEY_BITS},
	{JSONBOID, RIBBON_CLASS_JSONB, RIBBON_KEY_JSONB},

	/*
	 * there are not enough classes to give them one each; all is little-endian
	 */
	{CHAROID, RIBBON_CLASS_OTHER_LE, RIBBON_KEY_BYTE},
	{XIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_KEY_WORD32},
	{CIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_KEY_WORD32},
	{OID8OID, RIBBON_CLASS_OTHER_LE, RIBBON_KEY_INT64},
	{TIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_KEY_TID},
};

static void decide_type(RibbonKeyType *key_type, Oid type, Oid collation,
						RibbonKeyType *outer, const char *column,
						MemoryContext context);

/*
 * Our types have no fixed OID, and may be in any schema; but the input function
 * of each is one of this library.
 */
static bool
has_input(Oid type, PGFunction input)
{
	Oid function, parameter;
	FmgrInfo info;

	if (type < FirstNormalObjectId)
		return false;
	getTypeInputInfo(type, &function, &parameter);
	fmgr_info(function, &info);
	return info.fn_addr == input;
}

bool
ribbon_keytype_is_ribbonkey(Oid type)
{
	return has_input(getBaseType(type), ribbonkey_in);
}

/* The entry of a type without its domain, or NULL. */
static const CanonicalType *
find_canonical(Oid base)
{
	for (int i = 0; i < (int) lengthof(canonical); i++)
		if (canonical[i].type == base)
			return &canonical[i];
	return NULL;
}

bool
ribbon_keytype_is_safe(Oid type)
{
	const CanonicalType *found = find_canonical(getBaseType(type));

	if (found == NULL)
		return ribbon_keytype_is_ribbonkey(type);
	if (found->form == RIBBON_KEY_TEXT || found->form == RIBBON_KEY_NAME)
		return GetDatabaseEncoding() == PG_UTF8 ||
			GetDatabaseEncoding() == PG_SQL_ASCII;
	return found->form < RIBBON_KEY_JSONB;
}

/*
 * Decide if base has a canonical form of its own, or is a type of this
 * extension that can be a key; false if it is neither.  A ribbonkey is a key by
 * itself alone: of a part of a key the canonical bytes are needed.
 */
static bool
decide_plain(RibbonKeyType *key_type, Oid base)
{
	const CanonicalType *found;

	if (has_input(base, ribbonliteral_in))
		base = key_type->type = TEXTOID;
	found = find_canonical(base);
	if (found != NULL)
	{
		key_type->key_class = found->key_class;
		key_type->form = found->form;
		if (type_is_collatable(base))
			ribbon_keyrefuse_check_collation(key_type);
	}
	else if (get_typtype(base) == TYPTYPE_ENUM)
	{
		key_type->key_class = RIBBON_CLASS_ENUM;
		key_type->form = RIBBON_KEY_ENUM;
		key_type->lasting = false; /* the label can be changed */
	}
	else if (has_input(base, ribbonkeys_in))
		ribbon_keyrefuse(key_type, key_type->type, RIBBON_REFUSED_SET);
	else if (has_input(base, ribbonkey_in))
	{
		if (key_type->place.outer != NULL)
			ribbon_keyrefuse(key_type, key_type->type, RIBBON_REFUSED_HASHED);
		key_type->form = RIBBON_KEY_HASHED;
		key_type->late = true;
	}
	else
		return false;
	return true;
}

/* The only part of an array or a range. */
static void
decide_part(RibbonKeyType *key_type, Oid type, Oid collation)
{
	if (key_type->parts == NULL)
		key_type->parts = MemoryContextAllocZero(key_type->context,
												 sizeof(RibbonKeyType));
	decide_type(key_type->parts, type, collation, key_type, NULL,
				key_type->context);
	key_type->parts->decided = true;
}

/* What is true of a part is true of the whole. */
static void
add_part(RibbonKeyType *key_type, const RibbonKeyType *part)
{
	key_type->native |= part->native;
	key_type->lasting &= part->lasting || !OidIsValid(part->type);
}

/*
 * Add the only part.  The class of an array or a range tells those of its
 * parts, three levels deep.
 */
static void
add_only_part(RibbonKeyType *key_type)
{
	int part = key_type->parts->key_class & ((1 << RIBBON_KEY_PARTS_BITS) - 1);

	add_part(key_type, key_type->parts);
	key_type->key_class |= part << RIBBON_KEY_CLASS_BITS;
}

/* element is invalid if each array says itself what its elements are. */
static void
decide_array(RibbonKeyType *key_type, Oid element)
{
	key_type->key_class = RIBBON_CLASS_ARRAY;
	key_type->form = RIBBON_KEY_ARRAY;
	if (OidIsValid(element))
	{
		decide_part(key_type, element, key_type->collation);
		add_only_part(key_type);
		key_type->late = key_type->parts->late;
	}
	else
	{
		key_type->lasting = false;
		key_type->late = true;
	}
}

static void
decide_range(RibbonKeyType *key_type, Oid range)
{
	key_type->range = lookup_type_cache(range, TYPECACHE_RANGE_INFO);
	ribbon_keyrefuse_check_range(key_type, range);
	decide_part(key_type, key_type->range->rngelemtype->type_id,
				key_type->range->rng_collation);
	add_only_part(key_type);
}

static void
decide_columns(RibbonKeyType *key_type, TupleDesc columns)
{
	MemoryContext context = key_type->row.context;

	if (context == NULL)
		key_type->row.context = context =
			AllocSetContextCreate(key_type->context, "ribbon row type",
								  ALLOCSET_SMALL_SIZES);
	MemoryContextReset(context);
	key_type->parts = MemoryContextAllocZero(context,
											 Max(columns->natts, 1) *
												 sizeof(RibbonKeyType));
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped)
			decide_type(&key_type->parts[i], column->atttypid,
						column->attcollation, key_type,
						MemoryContextStrdup(context, NameStr(column->attname)),
						context);
	}
}

static void
decide_row(RibbonKeyType *key_type, Oid base)
{
	TupleDesc columns;

	key_type->key_class = RIBBON_CLASS_ROW;
	key_type->form = RIBBON_KEY_ROW;
	key_type->lasting = false; /* columns may be added, and dropped */
	key_type->late = true;	   /* NULLs have no class */
	if (base == RECORDOID)
		return;
	columns = lookup_rowtype_tupdesc(base, -1);
	decide_columns(key_type, columns);
	for (int i = 0; i < columns->natts; i++)
		add_part(key_type, &key_type->parts[i]);
	ReleaseTupleDesc(columns);
}

/* Decide for class "other", or throw. */
static void
decide_other(RibbonKeyType *key_type, Oid base)
{
	Oid function = ribbon_keyrefuse_hash_function(key_type, base);

	key_type->form = RIBBON_KEY_OTHER;
	key_type->native = true;
	fmgr_info_cxt(function, &key_type->hash_proc, key_type->context);
}

/* Decide about a type, and its parts; decided is left to the caller, false. */
static void
decide_type(RibbonKeyType *key_type, Oid type, Oid collation,
			RibbonKeyType *outer, const char *column, MemoryContext context)
{
	Oid base = getBaseType(type);
	Oid element = get_element_type(base);

	check_stack_depth();
	*key_type = (RibbonKeyType){
		.of = key_type->of,
		.of_elements = key_type->of_elements,
		.type = type,
		.collation = collation,
		.place = {outer, column},
		.context = context,
		.lasting = true,
	};
	get_typlenbyvalalign(base, &key_type->layout.length,
						 &key_type->layout.by_value, &key_type->layout.align);

	if (decide_plain(key_type, base))
		return;
	if (OidIsValid(element) || base == ANYARRAYOID)
		decide_array(key_type, element);
	else if (type_is_range(base))
	{
		key_type->key_class = RIBBON_CLASS_RANGE;
		key_type->form = RIBBON_KEY_RANGE;
		decide_range(key_type, base);
	}
	else if (type_is_multirange(base))
	{
		key_type->key_class = RIBBON_CLASS_MULTIRANGE;
		key_type->form = RIBBON_KEY_MULTIRANGE;
		decide_range(key_type, get_multirange_range(base));
	}
	else if (base == RECORDOID || get_typtype(base) == TYPTYPE_COMPOSITE)
		decide_row(key_type, base);
	else
		decide_other(key_type, base);

	if (key_type->native)
		key_type->key_class = RIBBON_CLASS_OTHER;
}

void
ribbon_keytype_decide(RibbonKeyType *key_type, Oid type, Oid collation,
					  MemoryContext context)
{
	key_type->decided = false; /* should there be an error */
	decide_type(key_type, type, collation, NULL, NULL, context);
	key_type->last.used = key_type->lasting && key_type->layout.length == -1 &&
		(key_type->form == RIBBON_KEY_NUMERIC ||
		 key_type->form == RIBBON_KEY_OTHER ||
		 key_type->form >= RIBBON_KEY_JSONB);
	key_type->decided = true;
}

/*
 * The type of an argument as the function has it, where the expression is not
 * known: an extension may call functions by itself.
 */
static Oid
declared_type(FunctionCallInfo fcinfo, int arg)
{
	Oid *types = NULL;
	int ntypes = 0;
	Oid type = InvalidOid;

	if (OidIsValid(fcinfo->flinfo->fn_oid))
		(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
	if (types != NULL && arg < ntypes && !IsPolymorphicType(types[arg]))
		type = types[arg];
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the key")));
	return type;
}

void
ribbon_keytype_decide_argument(RibbonKeyType *key_type, FunctionCallInfo fcinfo,
							   int arg)
{
	Oid type = get_fn_expr_argtype(fcinfo->flinfo, arg);

	if (!OidIsValid(type))
		type = declared_type(fcinfo, arg);
	ribbon_keytype_decide(key_type, type, PG_GET_COLLATION(),
						  fcinfo->flinfo->fn_mcxt);
}

/*
 * The class of a key was decided before this part of it was known.  If the part
 * depends on the byte order, the class must show it, but for those that are
 * little-endian, as all that is canonical.
 */
static void
check_late_part(const RibbonKeyType *key_type, const RibbonKeyType *part)
{
	if (RIBBON_CLASS_OTHER == RIBBON_CLASS_OTHER_BE && part->native &&
		!key_type->native)
		ribbon_keyrefuse(part, part->type, RIBBON_REFUSED_NATIVE);
}

RibbonKeyType *
ribbon_keytype_element(RibbonKeyType *key_type, Oid element)
{
	if (unlikely(key_type->parts == NULL || !key_type->parts->decided ||
				 key_type->parts->type != element))
	{
		decide_part(key_type, element, key_type->collation);
		key_type->parts->decided = false; /* should there be an error */
		check_late_part(key_type, key_type->parts);
		key_type->parts->decided = true;
	}
	return key_type->parts;
}

RibbonKeyType *
ribbon_keytype_columns(RibbonKeyType *key_type, TupleDesc columns)
{
	uint64 id = assign_record_type_identifier(columns->tdtypeid,
											  columns->tdtypmod);

	if (unlikely(key_type->row.id != id))
	{
		key_type->row.id = 0; /* should there be an error */
		decide_columns(key_type, columns);
		for (int i = 0; i < columns->natts; i++)
			check_late_part(key_type, &key_type->parts[i]);
		key_type->row.id = id;
	}
	return key_type->parts;
}
