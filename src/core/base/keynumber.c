/*
 * keynumber.c - which numbers can be key classes
 */
#include "base/keynumber.h"

bool
ribbon_key_class_is_valid(int key_class)
{
	if (key_class < 0 ||
		key_class >> (RIBBON_KEY_CLASS_BITS + RIBBON_KEY_PARTS_BITS) != 0)
		return false;
	for (; key_class >= RIBBON_KEY_CLASSES; key_class >>= RIBBON_KEY_CLASS_BITS)
	{
		if (ribbon_key_class_of(key_class) == RIBBON_ROW_CLASS)
			return true;
		if (!ribbon_key_class_has_parts(key_class))
			return false;
	}
	return true;
}
