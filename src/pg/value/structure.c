/*
 * structure.c - a number for what a type is made of
 *
 * The text of a row is its columns' texts, one behind the other, and is read by
 * their places.  So it can be read as a row of a type that has the same name
 * but other attributes, and would be another value then.  A dictionary whose
 * type has attributes somewhere inside therefore has a fingerprint of them,
 * too: the hash of a description of the type, made from nothing but what all
 * servers agree on.
 *
 *----------
 *	 DESCRIPTION OF		BYTES
 *	 a domain			that of the type beneath it
 *	 an array			'a', and that of its elements
 *	 a range			'r', its name, and that of its bounds
 *	 a multirange		'm', and that of its ranges
 *	 a composite type	'c', its name, and its attributes
 *	 any other type		't', its name, and the type modifier, 4 bytes
 *----------
 *
 * A name is the schema's, then the type's; before each is its length in one
 * byte.  That of a type of an extension, which may be in any schema, and move
 * to another, is 0, the extension's, and the type's.  Attributes are described
 * by their number in four bytes, and, of each that has not been dropped, in
 * their order, its name, with the length, and its type.  All names are in
 * UTF-8, numbers little-endian.
 *
 * Names count although texts do not have them: attributes of the same types
 * that were exchanged are told from that alone.  Type modifiers count, for
 * values would be rounded to them.  What an enum's labels are does not count,
 * nor a domain's constraints: values are held against them when they are read.
 */
#include "value/value.h"

#include "access/transam.h"
#include "access/tupdesc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "catalog/dependency.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

typedef struct Description
{
	StringInfoData bytes;
	bool has_attributes;
} Description;

static void describe(Description *description, Oid type, int32 typmod);
static void describe_attributes(Description *description, Oid type);
static void put_number(Description *description, uint32 number);
static void put_type_name(Description *description, Oid type);
static bool is_array(Oid type, Oid element);

bool
ribbon_structure_fingerprint(Oid type, uint64 *fingerprint)
{
	Description description = {.has_attributes = false};

	initStringInfo(&description.bytes);
	describe(&description, type, -1);
	*fingerprint = ribbon_hash_bytes_seeded(description.bytes.data,
											(size_t) description.bytes.len, 0);
	pfree(description.bytes.data);
	return description.has_attributes;
}

static void
describe(Description *description, Oid type, int32 typmod)
{
	StringInfo bytes = &description->bytes;
	Oid base = getBaseTypeAndTypmod(type, &typmod);
	Oid element = get_element_type(base);

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (OidIsValid(element) && is_array(base, element))
	{
		appendStringInfoChar(bytes, 'a');
		describe(description, element, typmod);
		return;
	}
	switch (get_typtype(base))
	{
		case TYPTYPE_RANGE:
			appendStringInfoChar(bytes, 'r');
			put_type_name(description, base);
			describe(description, get_range_subtype(base), -1);
			break;
		case TYPTYPE_MULTIRANGE:
			appendStringInfoChar(bytes, 'm');
			describe(description, get_multirange_range(base), -1);
			break;
		case TYPTYPE_COMPOSITE:
			appendStringInfoChar(bytes, 'c');
			put_type_name(description, base);
			describe_attributes(description, base);
			break;
		default:
			appendStringInfoChar(bytes, 't');
			put_type_name(description, base);
			put_number(description, (uint32) typmod);
			break;
	}
}

static void
describe_attributes(Description *description, Oid type)
{
	TupleDesc tupdesc = lookup_rowtype_tupdesc_copy(type, -1);
	uint32 nattributes = 0;

	description->has_attributes = true;
	for (int i = 0; i < tupdesc->natts; i++)
		nattributes += TupleDescAttr(tupdesc, i)->attisdropped ? 0 : 1;
	put_number(description, nattributes);
	for (int i = 0; i < tupdesc->natts; i++)
	{
		const FormData_pg_attribute *attribute = TupleDescAttr(tupdesc, i);
		uint8 name[RIBBON_VALUETYPE_NAME];
		uint32 n;

		if (attribute->attisdropped)
			continue;
		n = ribbon_valuetype_put_name(name, NameStr(attribute->attname));
		appendBinaryStringInfo(&description->bytes, (char *) name, (int) n);
		describe(description, attribute->atttypid, attribute->atttypmod);
	}
	FreeTupleDesc(tupdesc);
}

static void
put_number(Description *description, uint32 number)
{
	uint8 bytes[4];

	ribbon_store32(bytes, number);
	appendBinaryStringInfo(&description->bytes, (char *) bytes, sizeof(bytes));
}

static void
put_type_name(Description *description, Oid type)
{
	uint8 name[1 + 2 * RIBBON_VALUETYPE_NAME];
	uint32 n = ribbon_valuetype_put_type_name(name, type);
	Oid extension = InvalidOid;
	char *extension_name = NULL;

	if (type >= FirstNormalObjectId)
		extension = getExtensionOfObject(TypeRelationId, type);
	if (OidIsValid(extension))
		extension_name = get_extension_name(extension);
	if (extension_name != NULL)
	{
		const uint8 *type_name = name + 1 + name[0];
		uint8 with_extension[1 + 2 * RIBBON_VALUETYPE_NAME];

		with_extension[0] = 0;
		n = 1 + ribbon_valuetype_put_name(with_extension + 1, extension_name);
		memcpy(with_extension + n, type_name, 1 + type_name[0]);
		n += 1 + type_name[0];
		memcpy(name, with_extension, n);
	}
	appendBinaryStringInfo(&description->bytes, (char *) name, (int) n);
}

/*
 * Is it the array type of its elements, whose name the server chose, and not
 * one like int2vector?
 */
static bool
is_array(Oid type, Oid element)
{
	return get_array_type(element) == type;
}
