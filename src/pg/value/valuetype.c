/*
 * valuetype.c - a type to its class of values
 *
 * Numbers are stored by their distance from the least of them: the integers,
 * booleans, and what the server counts in days or microseconds.  Values of any
 * other type are stored as text in a dictionary, which names the type.
 */
#include "value/value.h"

#include "access/htup_details.h"
#include "base/bits.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

RibbonValueClass
ribbon_valuetype_class(Oid type)
{
	switch (type)
	{
		case BOOLOID:
			return RIBBON_VALUE_BOOL;
		case INT2OID:
			return RIBBON_VALUE_INT2;
		case INT4OID:
			return RIBBON_VALUE_INT4;
		case INT8OID:
			return RIBBON_VALUE_INT8;
		case DATEOID:
			return RIBBON_VALUE_DATE;
		case TIMESTAMPOID:
			return RIBBON_VALUE_TIMESTAMP;
		case TIMESTAMPTZOID:
			return RIBBON_VALUE_TIMESTAMPTZ;
		default:
			return RIBBON_VALUE_DICTIONARY;
	}
}

void
ribbon_valuetype_decide_argument(RibbonValueType *value_type,
								 FunctionCallInfo fcinfo, int arg)
{
	Oid declared = get_fn_expr_argtype(fcinfo->flinfo, arg);
	Oid output;
	bool is_varlena;

	if (value_type->decided)
		return;
	if (!OidIsValid(declared))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the value of ribbon_map")));

	value_type->type = getBaseType(declared);
	if (get_typtype(value_type->type) == TYPTYPE_PSEUDO)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type %s cannot be the type of the values of a ribbonmap",
						format_type_be(declared)),
				 errhint("Cast the value to a type that a table can have, or to text.")));

	value_type->value_class = ribbon_valuetype_class(value_type->type);
	if (value_type->value_class == RIBBON_VALUE_DICTIONARY)
	{
		get_typlenbyval(value_type->type, &value_type->length,
						&value_type->by_value);
		value_type->is_text = value_type->type == TEXTOID ||
			value_type->type == VARCHAROID || value_type->type == BPCHAROID;
		getTypeOutputInfo(value_type->type, &output, &is_varlena);
		fmgr_info_cxt(output, &value_type->output, fcinfo->flinfo->fn_mcxt);
		ribbon_typehead_init(&value_type->head, value_type->type,
							 fcinfo->flinfo->fn_mcxt);
	}
	value_type->decided = true;
}

void
ribbon_valuetype_check_exists(Oid type)
{
	if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type with OID %u does not exist", type)));
}

uint32
ribbon_valuetype_head(Oid type, uint8 *head)
{
	uint64 fingerprint;
	uint32 n = 0;

	ribbon_valuetype_check_exists(type);
	if (ribbon_structure_fingerprint(type, &fingerprint))
	{
		head[0] = 0;
		ribbon_store64(head + 1, fingerprint);
		n = RIBBON_DICTIONARY_FINGERPRINT;
	}
	return n + ribbon_valuetype_put_type_name(head + n, type);
}

uint32
ribbon_valuetype_put_type_name(uint8 *out, Oid type)
{
	HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Form_pg_type form;
	char *namespace;
	uint32 n;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", type);
	form = (Form_pg_type) GETSTRUCT(tuple);
	namespace = get_namespace_name(form->typnamespace);
	if (namespace == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", form->typnamespace);
	n = ribbon_valuetype_put_name(out, namespace);
	n += ribbon_valuetype_put_name(out + n, NameStr(form->typname));
	ReleaseSysCache(tuple);
	return n;
}

uint32
ribbon_valuetype_put_name(uint8 *out, const char *name)
{
	const char *text = pg_server_to_any(name, (int) strlen(name), PG_UTF8);
	size_t length = strlen(text);

	Assert(length <= PG_UINT8_MAX);
	out[0] = (uint8) length;
	memcpy(out + 1, text, length);
	return 1 + (uint32) length;
}
