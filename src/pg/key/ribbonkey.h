/*
 * ribbonkey.h - the types ribbonkey and ribbonkeys: hashes as a value
 *
 * A ribbonkey stands for the key that it was made from, wherever a key is
 * taken.  It is RIBBONKEY_BYTES bytes, the same on every machine, in the order
 * in which ribbonkeys are compared:
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       4		key class, with the classes of its parts
 *	 4       8		hash of the canonical bytes: XXH3-64
 *	 12      8		the second one: XXH64
 *----------
 *
 * with numbers from their highest byte on.  The binary form is these bytes, and
 * the text form \x and their hexadecimal digits.
 *
 * A ribbonkeys is a set of hashes of keys of one class; its bytes are in
 * keys/keysbytes.h.
 */
#ifndef RIBBON_RIBBONKEY_H
#define RIBBON_RIBBONKEY_H

#include "ribbon_pg.h"

#include "keys/keysbytes.h"
#include "port/pg_bswap.h"
#include "set/read.h"

#define RIBBONKEY_BYTES 20

/*
 * Hashes of a key's canonical bytes: XXH3-64 and, where it is asked for, XXH64.
 */
typedef struct RibbonKeyHashes
{
	uint64_t first;
	uint64_t second;
} RibbonKeyHashes;

/* The key class of a ribbonkey, which may be any number. */
static inline int
ribbonkey_class(const uint8 *bytes)
{
	uint32 key_class;

	memcpy(&key_class, bytes, sizeof(key_class));
	return (int) pg_ntoh32(key_class);
}

static inline RibbonKeyHashes
ribbonkey_hashes(const uint8 *bytes)
{
	uint64 words[2];

	memcpy(words, bytes + sizeof(uint32), sizeof(words));
	return (RibbonKeyHashes){pg_ntoh64(words[0]), pg_ntoh64(words[1])};
}

/* ribbonkey.c: a new one, palloc'd. */
extern uint8 *ribbonkey_make(int key_class, RibbonKeyHashes hashes);

/*
 * The key class of a stored ribbonkey.  Throws if no key can have it, which was
 * found out on its way in.
 */
extern int ribbonkey_check(const uint8 *bytes);

/* What is said of bytes that are no ribbonkeys, or whose rest proves wrong. */
#define RIBBONKEYS_OBJECTION "they are not a set of hashes in order"

/* ribbonkeys.c: read the header of a stored one.  Throws if it has none. */
extern void ribbonkeys_open(RibbonKeysCursor *cursor, struct varlena *value);

/*
 * Read all hashes behind it, and pass them to take, if that is not NULL.
 * Returns false if the bytes are wrong.
 */
extern bool ribbonkeys_each(RibbonKeysCursor *cursor, RibbonTakeElements take,
							void *arg);

/* The input functions of types that are recognized by them. */
extern Datum ribbonkey_in(PG_FUNCTION_ARGS);
extern Datum ribbonliteral_in(PG_FUNCTION_ARGS);
extern Datum ribbonkeys_in(PG_FUNCTION_ARGS);

#endif /* RIBBON_RIBBONKEY_H */
