/*
 * keynumber.h - key classes, as far as a header stores and checks them; and the
 * kinds of jsonb
 *
 * A key class is a number that says what the caller hashes.  The core only
 * stores it.  Its low five bits are the class proper, for which
 * docs/canonical.md has a table.  Arrays, ranges, multiranges and rows have
 * parts.  For these, up to three groups of five bits follow:
 *
 *	 array, range		 the class of its parts; if those have parts, too, the
 *						 class of these; and so on
 *	 row				 the classes of its first three fields
 *
 * 0 stands for no class, or for one that is not known.
 *
 * This is not in format/, since the extension and the library read the numbers,
 * too; of the core they include only ribbon.h, base/ and values/.
 */
#ifndef RIBBON_KEYNUMBER_H
#define RIBBON_KEYNUMBER_H

#include <stdbool.h>

#define RIBBON_KEY_CLASSES		  32
#define RIBBON_KEY_CLASS_BITS	  5
#define RIBBON_KEY_PARTS_BITS	  (3 * RIBBON_KEY_CLASS_BITS)
#define RIBBON_FIRST_NESTED_CLASS 23 /* from this one on, keys have parts, */
#define RIBBON_LAST_NESTED_CLASS  26 /* up to this one */
#define RIBBON_ROW_CLASS		  26
#define RIBBON_SEVERAL_CLASSES	  31 /* of parts: there are several */

/* A class number has room for the classes of so many columns of a row. */
#define RIBBON_KEY_PARTS (RIBBON_KEY_PARTS_BITS / RIBBON_KEY_CLASS_BITS)

/* The class proper. */
static inline int
ribbon_key_class_of(int key_class)
{
	return key_class & (RIBBON_KEY_CLASSES - 1);
}

/* The classes of the parts, three at most: 15 bits. */
static inline unsigned
ribbon_key_parts_of(int key_class)
{
	return (unsigned) key_class >> RIBBON_KEY_CLASS_BITS;
}

static inline bool
ribbon_key_class_has_parts(int key_class)
{
	int proper = ribbon_key_class_of(key_class);

	return proper >= RIBBON_FIRST_NESTED_CLASS &&
		proper <= RIBBON_LAST_NESTED_CLASS;
}

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
 * RIBBON_SEVERAL_CLASSES agree with all.  If any columns will do, rows agree
 * whatever their columns are.
 */
extern bool ribbon_key_class_agree(int a, int b, bool any_columns);

/* What a value of jsonb is: the first byte of its form. */
enum
{
	RIBBON_JSON_NULL,
	RIBBON_JSON_FALSE,
	RIBBON_JSON_TRUE,
	RIBBON_JSON_NUMBER,
	RIBBON_JSON_STRING,
	RIBBON_JSON_ARRAY,
	RIBBON_JSON_OBJECT
};

#endif /* RIBBON_KEYNUMBER_H */
