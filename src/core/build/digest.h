/*
 * digest.h - a number that nobody can find a set for
 *
 * BLAKE2b [RFC 7693] with a digest of eight bytes, over 64-bit words in
 * little-endian order.  To find words with a given digest takes some 2^64 tries,
 * whereas the mixing functions of hash.h can simply be inverted.
 */
#ifndef RIBBON_DIGEST_H
#define RIBBON_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define RIBBON_DIGEST_BLOCK 16 /* words */

typedef struct RibbonDigest
{
	uint64_t state[8];
	uint64_t block[RIBBON_DIGEST_BLOCK]; /* words not yet digested */
	unsigned nblock;
	uint64_t nbytes; /* digested */
} RibbonDigest;

extern void ribbon_digest_init(RibbonDigest *digest);
extern void ribbon_digest_add(RibbonDigest *digest, const uint64_t *words,
							  size_t n);

/* The digest of all words that were added.  It is the end of *digest. */
extern uint64_t ribbon_digest_end(RibbonDigest *digest);

#endif /* RIBBON_DIGEST_H */
