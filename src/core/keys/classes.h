/*
 * classes.h - key classes: which keys can be equal to which
 *
 * Keys of types of one class can be equal, and have the same canonical bytes
 * then.  Every filter and map stores the class of its keys, a number.  Its low
 * five bits are the class proper, whose bytes docs/canonical.md describes.
 * Arrays, ranges, multiranges and rows have parts.  For these, up to three
 * groups of five bits follow:
 *
 *	 array, range,		 the class of its parts; if those have parts, too, the
 *	 multirange			 class of these; and so on
 *	 row				 the classes of its first three fields
 *
 * 0 stands for no class, or for one that is not known: an empty filter does not
 * know what keys it has, nor an array without elements what it is made of.
 */
#ifndef RIBBON_CLASSES_H
#define RIBBON_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

#define RIBBON_CLASSES			32
#define RIBBON_CLASS_BITS		5
#define RIBBON_CLASS_PARTS		3 /* columns of a row that it has room for */
#define RIBBON_CLASS_PARTS_BITS (RIBBON_CLASS_PARTS * RIBBON_CLASS_BITS)

/*
 * The classes proper.  Stored in every filter: never renumber.  From ARRAY to
 * ROW, keys have parts.
 */
typedef enum RibbonKeyClass
{
	RIBBON_CLASS_INTEGER = 1,
	RIBBON_CLASS_TEXT = 2,
	RIBBON_CLASS_BYTEA = 3,
	RIBBON_CLASS_UUID = 4,
	RIBBON_CLASS_BOOL = 5,
	RIBBON_CLASS_DATE = 6,
	RIBBON_CLASS_TIME = 7,
	RIBBON_CLASS_TIMESTAMP = 8,
	RIBBON_CLASS_TIMESTAMPTZ = 9,
	RIBBON_CLASS_OID = 10,
	RIBBON_CLASS_FLOAT = 11,
	RIBBON_CLASS_MACADDR = 12,
	RIBBON_CLASS_MACADDR8 = 13,
	RIBBON_CLASS_NUMERIC = 14,
	RIBBON_CLASS_INTERVAL = 15,
	RIBBON_CLASS_INET = 16,
	RIBBON_CLASS_ENUM = 17,
	RIBBON_CLASS_CHAR_N = 18,
	RIBBON_CLASS_TIMETZ = 19,
	RIBBON_CLASS_XID8 = 20,
	RIBBON_CLASS_PG_LSN = 21,
	RIBBON_CLASS_BIT = 22,
	RIBBON_CLASS_ARRAY = 23,
	RIBBON_CLASS_RANGE = 24,
	RIBBON_CLASS_MULTIRANGE = 25,
	RIBBON_CLASS_ROW = 26,
	RIBBON_CLASS_JSONB = 27,
	RIBBON_CLASS_OTHER_LE = 28, /* hashed by the type's own function, on a */
	RIBBON_CLASS_OTHER_BE = 29, /* little-endian or big-endian machine */
	RIBBON_CLASS_SEVERAL = 31	/* of parts: there are several */
} RibbonKeyClass;

/* The class proper. */
static inline int
ribbon_key_class_proper(int key_class)
{
	return key_class & (RIBBON_CLASSES - 1);
}

/* The classes of the parts, three at most: 15 bits. */
static inline unsigned
ribbon_key_class_parts(int key_class)
{
	return (unsigned) key_class >> RIBBON_CLASS_BITS;
}

static inline bool
ribbon_key_class_has_parts(int key_class)
{
	int proper = ribbon_key_class_proper(key_class);

	return proper >= RIBBON_CLASS_ARRAY && proper <= RIBBON_CLASS_ROW;
}

/*
 * The name of the class proper, as ribbon_stats shows it; NULL if there is no
 * such class.  It is constant.
 */
extern const char *ribbon_key_class_name(int key_class);

/* Bytes of its canonical form, if that has always the same size; else 0. */
extern size_t ribbon_key_class_size(int key_class);

/*
 * Is it a number that can be a key class: not negative, at most 20 bits, and
 * with classes of parts only behind classes that have parts?
 */
extern bool ribbon_key_class_is_valid(int key_class);

/*
 * Part i of a class; 0 from the last part on.  The columns of a row have a
 * class proper each; all else has one kind of parts, with a class number.
 */
extern int ribbon_key_class_part(int key_class, int i);

/*
 * Can keys of these classes be equal, as far as is known?  0 and
 * RIBBON_CLASS_SEVERAL agree with all.
 */
extern bool ribbon_key_class_agree(int a, int b);

/*
 * May keys of these classes be in one set?  True if they can be equal; also for
 * rows with different columns, within rows and arrays, too, since anonymous
 * rows of one type may have any columns.
 */
extern bool ribbon_key_class_mix(int a, int b);

#endif /* RIBBON_CLASSES_H */
