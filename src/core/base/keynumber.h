/*
 * keynumber.h - as much of a key class as the header has to know
 *
 * A key class is a number, which the core only stores, that says what the
 * caller hashes.  Its low five bits are the class proper.  If the keys of that
 * class have parts (arrays, ranges, multiranges, rows), up to three groups of
 * five bits follow: the class of the parts, that of the parts' parts, and that
 * of theirs.  For rows, which have their parts side by side, they are the
 * classes of the first three fields.  0 stands for no class, or one that is not
 * known.  docs/canonical.md has the classes.
 */
#ifndef RIBBON_KEYNUMBER_H
#define RIBBON_KEYNUMBER_H

#include <stdbool.h>

#define RIBBON_KEY_CLASSES	   32
#define RIBBON_KEY_CLASS_BITS  5
#define RIBBON_KEY_PARTS_BITS  (3 * RIBBON_KEY_CLASS_BITS)
#define RIBBON_FIRST_KEY_PARTS 23 /* the first and the last of the classes */
#define RIBBON_LAST_KEY_PARTS  26 /* whose keys have parts */
#define RIBBON_SIDE_BY_SIDE	   26 /* the class of rows */

/* The class proper, and the up to three classes of its parts (15 bits). */
static inline int
ribbon_key_class_of(int key_class)
{
	return key_class & (RIBBON_KEY_CLASSES - 1);
}

static inline unsigned
ribbon_key_parts_of(int key_class)
{
	return (unsigned) key_class >> RIBBON_KEY_CLASS_BITS;
}

static inline bool
ribbon_key_class_has_parts(int key_class)
{
	int of = ribbon_key_class_of(key_class);

	return of >= RIBBON_FIRST_KEY_PARTS && of <= RIBBON_LAST_KEY_PARTS;
}

/*
 * Is it a number that can be a key class: not negative, at most 20 bits, and
 * with classes of parts only behind classes that have parts?
 */
extern bool ribbon_key_class_is_valid(int key_class);

#endif /* RIBBON_KEYNUMBER_H */
