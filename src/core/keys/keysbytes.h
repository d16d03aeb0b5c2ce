/*
 * keysbytes.h - the bytes of a ribbonkeys: a set of hashes that travels
 *
 * Written and read a few hashes at a time, in order.
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       1		0xA1: version 1
 *	 1       1		1 if it says what to build of the set, else 0
 *	 2       2		if so: kind, width; else 0
 *	 4       4		key class, with the classes of its parts; 0 only if n = 0
 *	 8       8		n, the number of hashes
 *	 if it says what to build
 *	 16      8		false-positive rate, the bits of a double
 *	 the hashes, which are in order and distinct [Elias 1974, Fano 1971]
 *	 		 high	n + 2^k bits, k = floor(log2 n)
 *			 low	n times 64 - k bits
 *----------
 *
 * The k high bits of a hash say which of 2^k cells it is in.  Each cell has a 1
 * for each of its hashes, then a 0; these bits are "high".  The other bits of
 * the hashes are "low".  Both are bit strings, which begin with the lowest bit
 * of a byte and are filled with 0 to whole bytes.  That takes 66 - k bits a
 * hash at most, 44 of each of 5 million, and the filling.  Numbers are
 * little-endian, and there is nothing behind the last bit.
 */
#ifndef RIBBON_KEYSBYTES_H
#define RIBBON_KEYSBYTES_H

#include "ribbon_core.h"

#define RIBBON_KEYS_MAX_HEADER 24 /* bytes, with a rate */

/* What the header says. */
typedef struct RibbonKeysHead
{
	uint64_t n;
	bool builds;		 /* params say what to build */
	RibbonParams params; /* the key class; the rest only if builds */
} RibbonKeysHead;

/* The bytes that a set takes; SIZE_MAX if size_t cannot hold that. */
extern size_t ribbon_keysbytes_size(const RibbonKeysHead *head);

/* A set that is being written, or read; the bytes must stay. */
typedef struct RibbonKeysCursor
{
	RibbonKeysHead head;
	unsigned k;
	uint64_t nhigh;		 /* bits */
	const uint8_t *high; /* to read; */
	const uint8_t *low;
	uint8_t *to; /* to write */
	uint8_t *to_low;
	uint64_t i;	   /* hashes done */
	uint64_t last; /* the one before */
	uint64_t word; /* bits of high that are left of 64, */
	uint64_t next; /* which end here */
} RibbonKeysCursor;

/* Write the header of a set; out has ribbon_keysbytes_size bytes, all zero. */
extern void ribbon_keysbytes_begin(RibbonKeysCursor *cursor,
								   const RibbonKeysHead *head, uint8_t *out);

/* Write the next n hashes, which are in order and distinct. */
extern void ribbon_keysbytes_write(RibbonKeysCursor *cursor,
								   const uint64_t *hashes, size_t n);

/*
 * Read a header, and not what is behind it.  false if these bytes cannot be a
 * set's.  The class may be one that no key has; and if it builds, params are
 * the caller's to check.
 */
extern bool ribbon_keysbytes_open(RibbonKeysCursor *cursor,
								  const uint8_t *bytes, size_t nbytes);

/*
 * Read up to room hashes, the next ones; *n is their number, 0 at the end.
 * false if the bytes are not a set's.  What has been read to the end is a set,
 * and no other bytes stand for it.
 */
extern bool ribbon_keysbytes_read(RibbonKeysCursor *cursor, uint64_t *hashes,
								  size_t room, size_t *n);

#endif /* RIBBON_KEYSBYTES_H */
