/*
 * valuetype.c - a type to its class of values
 *
 * Numbers are stored by their distance from the least of them: the integers,
 * booleans, and what the server counts in days or microseconds.  Values of any
 * other type are stored as text in a dictionary, which names the type.
 *
 * Texts are made and read under settings that are always the same
 * (valuetext.c), so no code of users may run meanwhile: it would see the
 * settings, and a function with the rights of its owner would hand them to
 * whoever calls it. Output functions of base types are C, and only superusers
 * make them.  But to read a value may run the constraints of a domain, and the
 * canonical function of a range type.  Therefore
 *
 *	 an array of a domain	is read as an array of the type beneath it, and the
 *							constraints are checked when the settings are the
 *							caller's again;
 *	 other domains inside, composite types, and ranges with a canonical function
 *							that is not in C are refused.
 *
 * Refused, too, is what cannot be read back from its text.
 *
 * What a type is called can be changed by any command, and so can the labels of
 * an enum.  A plan may outlast commands: a cursor is read between them, and
 * functions that it calls consist of them.  So a head that has been found out
 * is good for a moment: one command in one subtransaction, whose end may undo
 * what commands have done, though that is no command.
 */
#include "value/lookup.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

static void
check_exists(Oid type)
{
	if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type with OID %u does not exist", type)));
}

void
ribbon_valuetype_init(RibbonValueType *value_type, Oid declared,
					  MemoryContext context)
{
	check_exists(declared);
	memset(value_type, 0, sizeof(*value_type));
	value_type->declared = declared;
	value_type->typmod = -1;
	value_type->type = getBaseTypeAndTypmod(declared, &value_type->typmod);
	value_type->value_class = ribbon_number_class(value_type->type);
	get_typlenbyval(value_type->type, &value_type->length,
					&value_type->by_value);
	value_type->is_text = value_type->type == TEXTOID ||
		value_type->type == VARCHAROID || value_type->type == BPCHAROID;
	value_type->context = AllocSetContextCreate(context, "ribbon values",
												ALLOCSET_SMALL_SIZES);
}

void
ribbon_valuetype_decide_argument(RibbonValueType *value_type,
								 FunctionCallInfo fcinfo, int arg)
{
	Oid declared = get_fn_expr_argtype(fcinfo->flinfo, arg);

	if (!OidIsValid(declared))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the value of ribbon_map")));

	ribbon_valuetype_init(value_type, declared, fcinfo->flinfo->fn_mcxt);
	if (get_typtype(value_type->type) == TYPTYPE_PSEUDO)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type %s cannot be the type of the values of a ribbonmap",
						format_type_be(declared)),
				 errhint("Cast the value to a type that a table can have, or to text.")));
	if (value_type->value_class == RIBBON_VALUE_DICTIONARY)
		ribbon_valuetype_renew(value_type);
}

#define NOT_READ \
	"Its values cannot be read from text.", "Cast the value to text."

/* What cannot be read back, and what to do. */
static const struct
{
	Oid type;
	const char *reason;
	const char *hint;
} refused_types[] = {
	{REGPROCOID, "Several functions can have the same name.",
	 "Cast the value to regprocedure."},
	{REGOPEROID, "Several operators can have the same name.",
	 "Cast the value to regoperator."},
	{PG_NODE_TREEOID, NOT_READ},
	{PG_NDISTINCTOID, NOT_READ},
	{PG_DEPENDENCIESOID, NOT_READ},
	{PG_MCV_LISTOID, NOT_READ},
	{PG_BRIN_BLOOM_SUMMARYOID, NOT_READ},
	{PG_BRIN_MINMAX_MULTI_SUMMARYOID, NOT_READ},
	{GTSVECTOROID, NOT_READ},
};

pg_noreturn static void
refuse(Oid type, const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type %s cannot be the type of the values of a ribbonmap",
					format_type_be(type)),
			 errdetail("%s", reason), errhint("%s", hint)));
	pg_unreachable();
}

static bool
is_in_c(Oid function)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid language;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
	ReleaseSysCache(tuple);
	return language == INTERNALlanguageId || language == ClanguageId;
}

static void check_leaf(Oid type, Oid stored);

static void
check_range(Oid type, Oid stored)
{
	static const char hint[] =
		"Store lower(value) and upper(value), in a map each.";
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_RANGE_INFO);
	Oid bound;

	if (entry->rngelemtype == NULL)
		elog(ERROR, "type %u is not a range type", type);
	bound = entry->rngelemtype->type_id;
	if (OidIsValid(entry->rng_canonical_finfo.fn_oid) &&
		!is_in_c(entry->rng_canonical_finfo.fn_oid))
		refuse(stored, "Its ranges have a canonical function that is not in C.",
			   hint);
	if (getBaseType(bound) != bound || OidIsValid(get_element_type(bound)))
		refuse(stored, "It has ranges of a domain, or of arrays.", hint);
	check_leaf(bound, stored);
}

/* Throw if values with such a part, of the type that is stored, are refused. */
static void
check_leaf(Oid type, Oid stored)
{
	for (int i = 0; i < (int) lengthof(refused_types); i++)
		if (refused_types[i].type == type)
			refuse(stored, refused_types[i].reason, refused_types[i].hint);
	switch (get_typtype(type))
	{
		case TYPTYPE_COMPOSITE:
			refuse(stored, "It is a composite type, or has one inside.",
				   "Store row_to_json(value), or a map for each of its columns.");
		case TYPTYPE_RANGE:
			check_range(type, stored);
			break;
		case TYPTYPE_MULTIRANGE:
			check_range(get_multirange_range(type), stored);
			break;
		default:
			break;
	}
}

/* How values become texts, and are read. */
static void
set_functions(RibbonValueType *value_type)
{
	Oid type = value_type->type;
	Oid element = get_element_type(type);
	Oid leaf = type;
	Oid read_type = type; /* no domain in it */
	Oid function;
	bool is_varlena;

	value_type->element_domain = InvalidOid;
	if (OidIsValid(element))
	{
		leaf = getBaseTypeAndTypmod(element, &value_type->typmod);
		if (leaf != element)
		{
			value_type->element_domain = element;
			read_type = get_array_type(leaf);
		}
		if (!OidIsValid(read_type) || OidIsValid(get_element_type(leaf)))
			refuse(type, "Its elements are of a domain over an array.",
				   "Number the values in a table of their own, and map keys to these numbers.");
	}
	check_leaf(leaf, type);
	value_type->fixed_path = leaf < FirstNormalObjectId;

	getTypeOutputInfo(type, &function, &is_varlena);
	fmgr_info_cxt(function, &value_type->output, value_type->context);
	getTypeInputInfo(read_type, &function, &value_type->input_param);
	fmgr_info_cxt(function, &value_type->input, value_type->context);
}

/* Add a name in UTF-8, its length first (RIBBON_VALUETYPE_NAME). */
static void
add_name(RibbonValueType *value_type, const char *name)
{
	const char *text = pg_server_to_any(name, (int) strlen(name), PG_UTF8);
	size_t length = strlen(text);

	Assert(length <= PG_UINT8_MAX);
	value_type->head[value_type->nhead++] = (uint8) length;
	memcpy(value_type->head + value_type->nhead, text, length);
	value_type->nhead += (uint32) length;
}

static void
set_head(RibbonValueType *value_type)
{
	HeapTuple tuple;
	Form_pg_type form;
	char *namespace;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(value_type->type));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", value_type->type);
	form = (Form_pg_type) GETSTRUCT(tuple);
	namespace = get_namespace_name(form->typnamespace);
	if (namespace == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", form->typnamespace);
	value_type->nhead = 0;
	add_name(value_type, namespace);
	add_name(value_type, NameStr(form->typname));
	ReleaseSysCache(tuple);
}

void
ribbon_valuetype_renew(RibbonValueType *value_type)
{
	if (likely(value_type->is_known &&
			   value_type->command == GetCurrentCommandId(false) &&
			   value_type->subtransaction == GetCurrentSubTransactionId() &&
			   value_type->transaction == ribbon_local_transaction()))
		return;

	value_type->is_known = false; /* should there be an error */
	check_exists(value_type->type);
	MemoryContextReset(value_type->context);
	value_type->checks = NULL;
	value_type->element_checks = NULL;
	ribbon_memo_begin(value_type);
	set_functions(value_type);
	set_head(value_type);
	value_type->transaction = ribbon_local_transaction();
	value_type->subtransaction = GetCurrentSubTransactionId();
	value_type->command = GetCurrentCommandId(false);
	value_type->is_known = true;
}
