/*
 * keyjson.c - the canonical form of jsonb (docs/canonical.md)
 *
 * The members of an object come in the order of the length of their names in
 * UTF-8, and names of one length in the order of their bytes.  That is the
 * order in which a database in UTF8 stores them, and hashing takes no memory
 * there; where they have other bytes, they are put into it.
 */
#include "key/keysink.h"

#include "keys/canonical.h"
#include "miscadmin.h"
#include "utils/jsonb.h"

/* A member of an object, and its name in UTF-8. */
typedef struct Member
{
	JsonbValue stored_name;
	char *name;
	size_t size;
	JsonbValue value;
} Member;

static void put_container(RibbonKeySink *sink, JsonbContainer *container);

/* false if there is none left */
static bool
next_member(JsonbIterator **iterator, JsonbValue *name, JsonbValue *value)
{
	CHECK_FOR_INTERRUPTS();
	if (JsonbIteratorNext(iterator, name, true) != WJB_KEY)
		return false;
	(void) JsonbIteratorNext(iterator, value, true);
	return true;
}

/* The names of an object are different from one another. */
static int
compare_members(const void *a, const void *b)
{
	const Member *x = a;
	const Member *y = b;

	CHECK_FOR_INTERRUPTS();
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->name, y->name, x->size);
}

static void
put_string(RibbonKeySink *sink, const JsonbValue *string)
{
	ribbon_keyform_put_characters(sink, string->val.string.val,
								  (size_t) string->val.string.len);
}

static void
put_value(RibbonKeySink *sink, const JsonbValue *value)
{
	CHECK_FOR_INTERRUPTS();
	switch (value->type)
	{
		case jbvNull:
			ribbon_keysink_byte(sink, RIBBON_JSON_NULL);
			return;
		case jbvBool:
			ribbon_keysink_byte(sink,
								value->val.boolean ? RIBBON_JSON_TRUE :
													 RIBBON_JSON_FALSE);
			return;
		case jbvNumeric:
			ribbon_keysink_byte(sink, RIBBON_JSON_NUMBER);
			ribbon_keyform_put_numeric(sink,
									   NumericGetDatum(value->val.numeric));
			return;
		case jbvString:
			ribbon_keysink_byte(sink, RIBBON_JSON_STRING);
			put_string(sink, value);
			return;
		case jbvBinary:
			put_container(sink, value->val.binary.data);
			return;
		default:
			elog(ERROR, "unexpected jsonb value of type %d", (int) value->type);
	}
}

/* The members of an object whose names have other bytes where they are. */
static void
put_sorted(RibbonKeySink *sink, JsonbIterator **iterator, uint32 nmembers)
{
	Member *members = MemoryContextAllocHuge(CurrentMemoryContext,
											 Max(nmembers, 1) * sizeof(Member));
	uint32 n = 0;

	for (; n < nmembers; n++)
	{
		Member *member = &members[n];

		if (!next_member(iterator, &member->stored_name, &member->value))
			break;
		member->size = (size_t) member->stored_name.val.string.len;
		member->name =
			ribbon_keyform_convert(member->stored_name.val.string.val,
								   &member->size);
	}
	qsort(members, n, sizeof(Member), compare_members);
	for (uint32 i = 0; i < n; i++)
	{
		ribbon_keysink_counted(sink, members[i].name, members[i].size);
		if (members[i].name != members[i].stored_name.val.string.val)
			pfree(members[i].name);
		put_value(sink, &members[i].value);
	}
	pfree(members);
}

static void
put_object(RibbonKeySink *sink, JsonbIterator **iterator, uint32 nmembers)
{
	JsonbValue name, value;

	ribbon_keysink_byte(sink, RIBBON_JSON_OBJECT);
	ribbon_keysink_number(sink, nmembers);
	if (!ribbon_keytype_keeps_characters())
	{
		put_sorted(sink, iterator, nmembers);
		return;
	}
	while (next_member(iterator, &name, &value))
	{
		put_string(sink, &name);
		put_value(sink, &value);
	}
}

static void
put_container(RibbonKeySink *sink, JsonbContainer *container)
{
	JsonbIterator *iterator = JsonbIteratorInit(container);
	JsonbValue value;

	check_stack_depth();
	if (JsonbIteratorNext(&iterator, &value, true) == WJB_BEGIN_OBJECT)
		put_object(sink, &iterator, (uint32) value.val.object.nPairs);
	else
	{
		/* a scalar by itself is stored as an array of one */
		if (!value.val.array.rawScalar)
		{
			ribbon_keysink_byte(sink, RIBBON_JSON_ARRAY);
			ribbon_keysink_number(sink, (uint32) value.val.array.nElems);
		}
		while (JsonbIteratorNext(&iterator, &value, true) == WJB_ELEM)
			put_value(sink, &value);
	}
	if (iterator != NULL) /* it is gone once it is through */
		pfree(iterator);
}

void
ribbon_keyjson_put(RibbonKeySink *sink, Datum value)
{
	Jsonb *json = DatumGetJsonbP(value);

	put_container(sink, &json->root);
	ribbon_keysink_free_copy(json, value);
}
