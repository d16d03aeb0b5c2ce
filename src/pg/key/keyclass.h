/*
 * keyclass.h - what the server says and does of key classes (keys/classes.h)
 *
 * A filter built from int4 can be probed with int8: both types are of one
 * class.  In what follows a key class is a number with the classes of parts,
 * unless it is called proper.
 */
#ifndef RIBBON_KEYCLASS_H
#define RIBBON_KEYCLASS_H

#include "ribbon_pg.h"

#include "keys/classes.h"

#ifdef WORDS_BIGENDIAN
#define RIBBON_CLASS_OTHER RIBBON_CLASS_OTHER_BE
#else
#define RIBBON_CLASS_OTHER RIBBON_CLASS_OTHER_LE
#endif

/* Sets of classes proper: RIBBON_SET_OF(TEXT) | RIBBON_SET_OF(CHAR_N). */
#define RIBBON_SET_OF(name) (UINT32_C(1) << RIBBON_CLASS_##name)

/* The class "other" of both byte orders: many types. */
#define RIBBON_SET_OF_OTHERS (RIBBON_SET_OF(OTHER_LE) | RIBBON_SET_OF(OTHER_BE))

static inline bool
ribbon_keyclass_is_in(int key_class, uint32 set)
{
	return (set >> ribbon_key_class_proper(key_class) & 1) != 0;
}

/*
 * The class of an array, a range or a multirange, whatever parts key_class has,
 * if it has such parts.
 */
static inline int
ribbon_keyclass_with_part(int key_class, int part)
{
	int known = part & ((1 << RIBBON_CLASS_PARTS_BITS) - 1);

	return ribbon_key_class_proper(key_class) | known << RIBBON_CLASS_BITS;
}

/* Why no key can have this class number; NULL if one can. */
extern const char *ribbon_keyclass_objection(int key_class);

/*
 * What keys of this class are, in words of SQL, such as "integer keys" or
 * "arrays of integer".
 */
extern const char *ribbon_keyclass_describe(int key_class);

/* The class of a set with keys of both classes, which may be in one set. */
extern int ribbon_keyclass_join(int a, int b);

#endif /* RIBBON_KEYCLASS_H */
