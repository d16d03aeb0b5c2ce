/*
 * keyclass.c - what keys of a class are, in words; and the class of two sets
 */
#include "key/keyclass.h"

#include "lib/stringinfo.h"

const char *
ribbon_keyclass_objection(int key_class)
{
	if (!ribbon_key_class_is_valid(key_class))
		return "its key class is not valid";
	return ribbon_key_class_name(key_class) == NULL ?
		"its key class is unknown" :
		NULL;
}

/* A part of keys that are described. */
static const char *
describe_part(int key_class)
{
	const char *name = ribbon_key_class_name(key_class);

	if (name == NULL)
		return "any type";
	if (ribbon_keyclass_is_in(key_class, RIBBON_SET_OF_OTHERS))
		return "class \"other\"";
	return ribbon_key_class_has_parts(key_class) ?
		ribbon_keyclass_describe(key_class) :
		name;
}

const char *
ribbon_keyclass_describe(int key_class)
{
	const char *name = ribbon_key_class_name(key_class);
	int parts = (int) ribbon_key_class_parts(key_class);
	StringInfoData text;

	if (ribbon_keyclass_is_in(key_class, RIBBON_SET_OF_OTHERS))
		return "keys of class \"other\"";
	if (!ribbon_key_class_has_parts(key_class))
		return psprintf("%s keys", name);
	if (parts == 0)
		return psprintf("%ss", name);
	if (ribbon_key_class_proper(key_class) != RIBBON_CLASS_ROW)
		return psprintf("%ss of %s", name, describe_part(parts));

	/* the first columns of rows, as in "integer, text, ..." */
	initStringInfo(&text);
	for (; parts > 0; parts >>= RIBBON_CLASS_BITS)
		appendStringInfo(&text, "%s, ",
						 describe_part(ribbon_key_class_proper(parts)));
	return psprintf("rows of %s...", text.data);
}

int
ribbon_keyclass_join(int a, int b)
{
	int joined = ribbon_key_class_proper(a);

	if (a == 0 || b == 0)
		return a | b;
	if (joined != ribbon_key_class_proper(b))
		return RIBBON_CLASS_SEVERAL;
	for (int i = 0; i < RIBBON_CLASS_PARTS; i++)
		joined |= ribbon_keyclass_join(ribbon_key_class_part(a, i),
									   ribbon_key_class_part(b, i))
			<< ((i + 1) * RIBBON_CLASS_BITS);
	return joined;
}
