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
 * for a moment: one command in one subtransaction, whose end may undo what
 * commands have done, though that is no command.
 */
#include "value/valuetype.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "compatcalls.h"
#include "mb/pg_wchar.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

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
	value_type->now.context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
													"ribbon value type",
													ALLOCSET_SMALL_SIZES);
}

void
ribbon_valuetype_check(RibbonValueType *value_type)
{
	if (get_typtype(value_type->type) == TYPTYPE_PSEUDO)
		ribbon_valuerefuse_throw(value_type->declared, NULL,
								 "Cast the value to a type that a table can have, or to text.");
	if (value_type->value_class == RIBBON_VALUES_DICTIONARY)
		(void) ribbon_valuetype_now(value_type);
}

/* How values become texts, and are read; in CurrentMemoryContext. */
static void
set_functions(RibbonValueType *value_type)
{
	RibbonValueNow *now = &value_type->now;
	Oid type = value_type->type;
	Oid element = get_element_type(type);
	Oid leaf = type;
	Oid read_type = type; /* no domain in it */
	Oid function;
	bool is_varlena;

	now->typmod = value_type->typmod;
	now->element_domain = InvalidOid;
	now->element_check = NULL;
	if (OidIsValid(element))
	{
		leaf = getBaseTypeAndTypmod(element, &now->typmod);
		if (leaf != element)
		{
			now->element_domain = element;
			read_type = get_array_type(leaf);
		}
		if (!OidIsValid(read_type) || OidIsValid(get_element_type(leaf)))
			ribbon_valuerefuse_throw(type,
									 "Its elements are of a domain over an array.",
									 "Number the values in a table of their own, and map keys to these numbers.");
	}
	ribbon_valuerefuse_check(leaf, type);
	now->fixed_path = leaf < FirstNormalObjectId;

	getTypeOutputInfo(type, &function, &is_varlena);
	fmgr_info(function, &now->output);
	getTypeInputInfo(read_type, &function, &now->input_param);
	fmgr_info(function, &now->input);
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

RibbonValueNow *
ribbon_valuetype_now(RibbonValueType *value_type)
{
	RibbonValueNow *now = &value_type->now;
	MemoryContext old_context;

	if (likely(now->command == GetCurrentCommandId(false) &&
			   now->subtransaction == GetCurrentSubTransactionId() &&
			   now->transaction == ribbon_local_transaction()))
		return now;

	/* should there be an error */
	now->transaction = InvalidLocalTransactionId;
	MemoryContextReset(now->context);
	old_context = MemoryContextSwitchTo(now->context);
	now->check = NULL;
	now->memos = (RibbonMemos){.parent = now->context};
	now->head = make_head(value_type->type);
	set_functions(value_type);
	MemoryContextSwitchTo(old_context);
	now->transaction = ribbon_local_transaction();
	now->subtransaction = GetCurrentSubTransactionId();
	now->command = GetCurrentCommandId(false);
	return now;
}
