/*
 * keyjson.c - the canonical form of jsonb
 *
 *	 null		0 (1 byte)
 *	 false		1
 *	 true		2
 *	 number		3, and the shortest decimal text, counted (keysink.h)
 *	 string		4, and the characters in UTF-8, counted
 *	 array		5, number of elements, elements
 *	 object		6, number of members, for each its name, counted, and its value
 *
 * The members of an object come in the order of the length of their names in
 * UTF-8, and names of one length in the order of their bytes.  That is the
 * order in which a database in UTF8 stores them, and hashing takes no memory
 * there; where they have other bytes, they are put into it.
 */
#include "key/keysink.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/jsonb.h"

enum
{
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

/* A member of an object. */
typedef struct Member
{
	RibbonKeyBytes name;
	JsonbValue value;
} Member;

static void put_container(RibbonKeySink *sink, JsonbContainer *container);

/* false if there is none left */
static bool
next_member(JsonbIterator **iterator, Member *member)
{
	JsonbValue name;

	CHECK_FOR_INTERRUPTS();
	if (JsonbIteratorNext(iterator, &name, true) != WJB_KEY)
		return false;
	ribbon_keyform_get_characters(name.val.string.val,
								  (size_t) name.val.string.len, &member->name);
	(void) JsonbIteratorNext(iterator, &member->value, true);
	return true;
}

/* The names of an object are different from one another. */
static int
compare_members(const void *a, const void *b)
{
	const RibbonKeyBytes *x = &((const Member *) a)->name;
	const RibbonKeyBytes *y = &((const Member *) b)->name;

	CHECK_FOR_INTERRUPTS();
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->size);
}

static void
put_value(RibbonKeySink *sink, const JsonbValue *value)
{
	RibbonKeyBytes bytes;

	CHECK_FOR_INTERRUPTS();
	switch (value->type)
	{
		case jbvNull:
			ribbon_keysink_byte(sink, JSON_NULL);
			return;
		case jbvBool:
			ribbon_keysink_byte(sink,
								value->val.boolean ? JSON_TRUE : JSON_FALSE);
			return;
		case jbvNumeric:
			ribbon_keysink_byte(sink, JSON_NUMBER);
			ribbon_keyform_get_numeric(value->val.numeric, &bytes);
			break;
		case jbvString:
			ribbon_keysink_byte(sink, JSON_STRING);
			ribbon_keyform_get_characters(value->val.string.val,
										  (size_t) value->val.string.len,
										  &bytes);
			break;
		case jbvBinary:
			put_container(sink, value->val.binary.data);
			return;
		default:
			elog(ERROR, "unexpected jsonb value of type %d", (int) value->type);
	}
	ribbon_keysink_counted(sink, bytes.bytes, bytes.size);
	ribbon_keyform_release(&bytes);
}

static void
put_member(RibbonKeySink *sink, Member *member)
{
	ribbon_keysink_counted(sink, member->name.bytes, member->name.size);
	ribbon_keyform_release(&member->name);
	put_value(sink, &member->value);
}

/* The members of an object whose names have other bytes where they are. */
static void
put_sorted(RibbonKeySink *sink, JsonbIterator **iterator, uint32 nmembers)
{
	Member *members = MemoryContextAllocHuge(CurrentMemoryContext,
											 Max(nmembers, 1) * sizeof(Member));
	uint32 n = 0;

	while (n < nmembers && next_member(iterator, &members[n]))
		n++;
	qsort(members, n, sizeof(Member), compare_members);
	for (uint32 i = 0; i < n; i++)
		put_member(sink, &members[i]);
	pfree(members);
}

static void
put_object(RibbonKeySink *sink, JsonbIterator **iterator, uint32 nmembers)
{
	int encoding = GetDatabaseEncoding();
	Member member;

	ribbon_keysink_byte(sink, JSON_OBJECT);
	ribbon_keysink_number(sink, nmembers);
	if (encoding != PG_UTF8 && encoding != PG_SQL_ASCII)
	{
		put_sorted(sink, iterator, nmembers);
		return;
	}
	while (next_member(iterator, &member))
		put_member(sink, &member);
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
			ribbon_keysink_byte(sink, JSON_ARRAY);
			ribbon_keysink_number(sink, (uint32) value.val.array.nElems);
		}
		while (JsonbIteratorNext(&iterator, &value, true) == WJB_ELEM)
			put_value(sink, &value);
	}
	if (iterator != NULL) /* it is gone once it is through */
		pfree(iterator);
}

void
ribbon_keyjson_put(RibbonKeySink *sink, Datum key)
{
	Jsonb *json = DatumGetJsonbP(key);

	put_container(sink, &json->root);
	if ((Pointer) json != DatumGetPointer(key))
		pfree(json);
}
