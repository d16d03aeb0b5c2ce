/*
 * valuetype.c - the class of a type, how its values become texts, its names
 *
 * Numbers are stored by their distance from the least of them: the integers,
 * booleans, and what the server counts in days or microseconds.  Values of any
 * other type are stored as text in a dictionary, which names the type.
 *
 * What a type is called can be changed by any command, and so can the labels of
 * an enum.  A plan may outlast commands: a cursor is read between them, and
 * functions that it calls consist of them.  So what has been found out is good
 * for one command in one subtransaction, whose end may undo what commands have
 * done, though that is no command.
 *
 * Texts are made and read under settings that are always the same
 * (valuetext.c), so no code of users may run meanwhile: it would see the
 * settings, and a function with the rights of its owner would hand them to
 * whoever calls it.  Output functions of base types are C, and only superusers
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
 */
#include "value/valuetype.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "compatcalls.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

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

/* Throw 42804, with what is wrong with the type, or NULL, and what to do. */
pg_noreturn static void
refuse_type(Oid type, const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type %s cannot be the type of the values of a ribbonmap",
					format_type_be(type)),
			 reason != NULL ? errdetail("%s", reason) : 0,
			 errhint("%s", hint)));
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

static void check_parts(Oid type, Oid stored);

static void
check_range(Oid type, Oid stored)
{
	static const char hint[] =
		"Store lower(value) and upper(value), in a map each.";
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_RANGE_INFO);
	Oid bound = entry->rngelemtype->type_id;

	if (OidIsValid(entry->rng_canonical_finfo.fn_oid) &&
		!is_in_c(entry->rng_canonical_finfo.fn_oid))
		refuse_type(stored,
					"Its ranges have a canonical function that is not in C.",
					hint);
	if (getBaseType(bound) != bound || OidIsValid(get_element_type(bound)))
		refuse_type(stored, "It has ranges of a domain, or of arrays.", hint);
	check_parts(bound, stored);
}

/*
 * Throw if values with parts of this type are refused: arrays of it, or itself.
 * stored is the type of the whole, which the error names.
 */
static void
check_parts(Oid type, Oid stored)
{
	for (int i = 0; i < (int) lengthof(refused_types); i++)
		if (refused_types[i].type == type)
			refuse_type(stored, refused_types[i].reason, refused_types[i].hint);
	switch (get_typtype(type))
	{
		case TYPTYPE_COMPOSITE:
			refuse_type(stored, "It is a composite type, or has one inside.",
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

/* The class of a type that is no domain. */
static RibbonValueClass
class_of_type(Oid type)
{
	static const Oid types[RIBBON_KNOWN_VALUE_CLASSES] = {
		[RIBBON_VALUES_BOOL] = BOOLOID,
		[RIBBON_VALUES_INT2] = INT2OID,
		[RIBBON_VALUES_INT4] = INT4OID,
		[RIBBON_VALUES_INT8] = INT8OID,
		[RIBBON_VALUES_DATE] = DATEOID,
		[RIBBON_VALUES_TIMESTAMP] = TIMESTAMPOID,
		[RIBBON_VALUES_TIMESTAMPTZ] = TIMESTAMPTZOID,
	};

	for (int i = 0; i < RIBBON_KNOWN_VALUE_CLASSES; i++)
		if (types[i] == type)
			return (RibbonValueClass) i;
	return RIBBON_VALUES_DICTIONARY;
}

/* The entry of a type, to be released.  Throws if there is none any more. */
static HeapTuple
find_type(Oid type)
{
	HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type with OID %u does not exist", type)));
	return tuple;
}

void
ribbon_valuetype_init(RibbonValueType *value_type, FunctionCallInfo fcinfo,
					  int arg, const char *what)
{
	Oid declared = get_fn_expr_argtype(fcinfo->flinfo, arg);

	if (!OidIsValid(declared))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the %s", what)));
	ReleaseSysCache(find_type(declared));
	memset(value_type, 0, sizeof(*value_type));
	value_type->declared = declared;
	value_type->typmod = -1;
	value_type->type = getBaseTypeAndTypmod(declared, &value_type->typmod);
	value_type->value_class = class_of_type(value_type->type);
	get_typlenbyval(value_type->type, &value_type->length,
					&value_type->by_value);
	value_type->is_text = value_type->type == TEXTOID ||
		value_type->type == VARCHAROID || value_type->type == BPCHAROID;
	value_type->info.context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
													 "ribbon value type",
													 ALLOCSET_SMALL_SIZES);
}

void
ribbon_valuetype_check(RibbonValueType *value_type)
{
	if (get_typtype(value_type->type) == TYPTYPE_PSEUDO)
		refuse_type(value_type->declared, NULL,
					"Cast the value to a type that a table can have, or to text.");
	if (value_type->value_class == RIBBON_VALUES_DICTIONARY)
		(void) ribbon_valuetype_refresh(value_type);
}

/* How values become texts, and are read; in CurrentMemoryContext. */
static void
set_functions(RibbonValueType *value_type)
{
	RibbonTypeInfo *info = &value_type->info;
	Oid type = value_type->type;
	Oid element = get_element_type(type);
	Oid leaf = type;
	Oid read_type = type; /* no domain in it */
	Oid function;
	bool is_varlena;

	info->typmod = value_type->typmod;
	info->element_domain = InvalidOid;
	info->element_check = NULL;
	if (OidIsValid(element))
	{
		leaf = getBaseTypeAndTypmod(element, &info->typmod);
		if (leaf != element)
		{
			info->element_domain = element;
			read_type = get_array_type(leaf);
		}
		if (!OidIsValid(read_type) || OidIsValid(get_element_type(leaf)))
			refuse_type(type, "Its elements are of a domain over an array.",
						"Number the values in a table of their own, and map keys to these numbers.");
	}
	check_parts(leaf, type);
	info->fixed_path = leaf < FirstNormalObjectId;

	getTypeOutputInfo(type, &function, &is_varlena);
	fmgr_info(function, &info->output);
	getTypeInputInfo(read_type, &function, &info->input_param);
	fmgr_info(function, &info->input);
}

static const char *
name_in_utf8(const char *name)
{
	return pg_server_to_any(name, (int) strlen(name), PG_UTF8);
}

/* How a dictionary of a type begins: two names, the length of each first. */
static RibbonValueBytes
make_head(Oid type)
{
	HeapTuple tuple = find_type(type);
	Form_pg_type form = (Form_pg_type) GETSTRUCT(tuple);
	char *namespace = get_namespace_name(form->typnamespace);
	const char *schema, *name, *head;

	if (namespace == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", form->typnamespace);
	schema = name_in_utf8(namespace);
	name = name_in_utf8(NameStr(form->typname));
	head = psprintf("%c%s%c%s", (int) strlen(schema), schema,
					(int) strlen(name), name);
	ReleaseSysCache(tuple);
	return (RibbonValueBytes){head, strlen(head)};
}

RibbonTypeInfo *
ribbon_valuetype_refresh(RibbonValueType *value_type)
{
	RibbonTypeInfo *info = &value_type->info;
	MemoryContext old_context;

	if (likely(info->command == GetCurrentCommandId(false) &&
			   info->subtransaction == GetCurrentSubTransactionId() &&
			   info->transaction == ribbon_local_transaction()))
		return info;

	/* should there be an error */
	info->transaction = InvalidLocalTransactionId;
	MemoryContextReset(info->context);
	old_context = MemoryContextSwitchTo(info->context);
	info->check = NULL;
	info->memos = (RibbonMemos){.parent = info->context};
	info->head = make_head(value_type->type);
	set_functions(value_type);
	MemoryContextSwitchTo(old_context);
	info->transaction = ribbon_local_transaction();
	info->subtransaction = GetCurrentSubTransactionId();
	info->command = GetCurrentCommandId(false);
	return info;
}
