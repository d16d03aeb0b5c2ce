/*
 * keyplain.c - types without parts (key.h) that have a canonical form
 */
#include "key/keytype.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "key/ribbonkey.h"
#include "utils/lsyscache.h"

typedef struct PlainType
{
	Oid type;
	RibbonKeyClass key_class;
	RibbonKeyForm form;
} PlainType;

/* All of them but enums and ribbonkeys; of a class, the most general first. */
static const PlainType plain[] = {
	{INT8OID, RIBBON_CLASS_INTEGER, RIBBON_FORM_INT64},
	{INT4OID, RIBBON_CLASS_INTEGER, RIBBON_FORM_INT32},
	{INT2OID, RIBBON_CLASS_INTEGER, RIBBON_FORM_INT16},
	{TEXTOID, RIBBON_CLASS_TEXT, RIBBON_FORM_TEXT},
	{VARCHAROID, RIBBON_CLASS_TEXT, RIBBON_FORM_TEXT},
	{NAMEOID, RIBBON_CLASS_TEXT, RIBBON_FORM_NAME},
	{UNKNOWNOID, RIBBON_CLASS_TEXT, RIBBON_FORM_NAME}, /* in a row */
	{BPCHAROID, RIBBON_CLASS_CHAR_N, RIBBON_FORM_TEXT},
	{BYTEAOID, RIBBON_CLASS_BYTEA, RIBBON_FORM_BYTES},
	{UUIDOID, RIBBON_CLASS_UUID, RIBBON_FORM_FIXED},
	{BOOLOID, RIBBON_CLASS_BOOL, RIBBON_FORM_WORD},
	{DATEOID, RIBBON_CLASS_DATE, RIBBON_FORM_WORD},
	{TIMEOID, RIBBON_CLASS_TIME, RIBBON_FORM_INT64},
	{TIMETZOID, RIBBON_CLASS_TIMETZ, RIBBON_FORM_TIMETZ},
	{TIMESTAMPOID, RIBBON_CLASS_TIMESTAMP, RIBBON_FORM_INT64},
	{TIMESTAMPTZOID, RIBBON_CLASS_TIMESTAMPTZ, RIBBON_FORM_INT64},
	{OIDOID, RIBBON_CLASS_OID, RIBBON_FORM_WORD},
	{XID8OID, RIBBON_CLASS_XID8, RIBBON_FORM_INT64},
	{PG_LSNOID, RIBBON_CLASS_PG_LSN, RIBBON_FORM_INT64},
	{FLOAT8OID, RIBBON_CLASS_FLOAT, RIBBON_FORM_FLOAT8},
	{FLOAT4OID, RIBBON_CLASS_FLOAT, RIBBON_FORM_FLOAT4},
	{MACADDROID, RIBBON_CLASS_MACADDR, RIBBON_FORM_FIXED},
	{MACADDR8OID, RIBBON_CLASS_MACADDR8, RIBBON_FORM_FIXED},
	{NUMERICOID, RIBBON_CLASS_NUMERIC, RIBBON_FORM_NUMERIC},
	{INTERVALOID, RIBBON_CLASS_INTERVAL, RIBBON_FORM_INTERVAL},
	{INETOID, RIBBON_CLASS_INET, RIBBON_FORM_INET},
	{CIDROID, RIBBON_CLASS_INET, RIBBON_FORM_INET},
	{VARBITOID, RIBBON_CLASS_BIT, RIBBON_FORM_BITS},
	{BITOID, RIBBON_CLASS_BIT, RIBBON_FORM_BITS},
	{JSONBOID, RIBBON_CLASS_JSONB, RIBBON_FORM_JSONB},

	/*
	 * there are not enough classes to give them one each; all is little-endian
	 */
	{CHAROID, RIBBON_CLASS_OTHER_LE, RIBBON_FORM_WORD},
	{XIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_FORM_WORD},
	{CIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_FORM_WORD},
	{OID8OID, RIBBON_CLASS_OTHER_LE, RIBBON_FORM_INT64},
	{TIDOID, RIBBON_CLASS_OTHER_LE, RIBBON_FORM_TID},
};

/* The entry of a type without its domain, or NULL. */
static const PlainType *
find_plain(Oid base)
{
	for (int i = 0; i < (int) lengthof(plain); i++)
		if (plain[i].type == base)
			return &plain[i];
	return NULL;
}

/*
 * The input function of a type; NULL if the type is the server's.  Our types
 * have no fixed OID, and may be in any schema; so they are recognized by it.
 */
static PGFunction
find_input(Oid base)
{
	Oid function, parameter;
	FmgrInfo info;

	if (base < FirstNormalObjectId)
		return NULL;
	getTypeInputInfo(base, &function, &parameter);
	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * A ribbonliteral is hashed as text.  A ribbonkey is a key by itself alone: of
 * a part of a key the canonical bytes are needed.
 */
bool
ribbon_keyplain_init(RibbonKeyType *key_type)
{
	Oid base = key_type->base->type_id;
	PGFunction input = find_input(base);
	const PlainType *found;

	if (input == ribbonliteral_in)
	{
		base = key_type->type = TEXTOID;
		key_type->base = lookup_type_cache(TEXTOID, 0);
	}
	found = find_plain(base);
	if (found != NULL)
	{
		key_type->key_class = found->key_class;
		key_type->form = found->form;
		if (type_is_collatable(base))
			ribbon_keyrefuse_check_collation(key_type);
	}
	else if (key_type->base->typtype == TYPTYPE_ENUM)
	{
		key_type->key_class = RIBBON_CLASS_ENUM;
		key_type->form = RIBBON_FORM_ENUM;
	}
	else if (input == ribbonkeys_in)
		ribbon_keyrefuse(key_type, RIBBON_REFUSED_SET);
	else if (input == ribbonkey_in)
	{
		if (key_type->outer != NULL)
			ribbon_keyrefuse(key_type, RIBBON_REFUSED_HASHED);
		key_type->form = RIBBON_FORM_HASHED;
		key_type->class_per_value = true;
	}
	else
		return false;
	return true;
}

Oid
ribbon_keyplain_type(int key_class)
{
	int proper = ribbon_key_class_proper(key_class);

	if (proper == RIBBON_CLASS_CHAR_N) /* of which length? */
		return TEXTOID;
	if (proper == RIBBON_CLASS_OTHER_LE) /* of many types */
		return InvalidOid;
	for (int i = 0; i < (int) lengthof(plain); i++)
		if ((int) plain[i].key_class == proper)
			return plain[i].type;
	return InvalidOid;
}

bool
ribbon_keyplain_is_safe(Oid type)
{
	Oid base = getBaseType(type);
	const PlainType *found = find_plain(base);

	if (found == NULL)
		return find_input(base) == ribbonkey_in;
	if (found->form == RIBBON_FORM_TEXT || found->form == RIBBON_FORM_NAME)
		return ribbon_keytype_keeps_characters();
	return !ribbon_keyform_is_nested(found->form);
}
