/*
 * digest.h - BLAKE2b of hashes, a 64-bit digest
 *
 * BLAKE2b [RFC 7693] without a key, with a digest of eight bytes.  The message
 * is the hashes, eight bytes each, little-endian.  To find hashes that have a
 * given digest takes some 2^64 tries; the mixing functions of hash.h can be
 * inverted.
 */
#ifndef RIBBON_DIGEST_H
#define RIBBON_DIGEST_H

#include <stdint.h>

#define RIBBON_DIGEST_BLOCK 16 /* hashes: 128 bytes */

typedef struct RibbonDigest
{
	uint64_t state[8];					 /* h of the RFC */
	uint64_t block[RIBBON_DIGEST_BLOCK]; /* hashes not yet compressed */
	unsigned nblock;
	uint64_t nbytes; /* compressed */
} RibbonDigest;

/* Begin a message. */
extern void ribbon_digest_init(RibbonDigest *digest);

/* Append a hash.  The result depends on their order. */
extern void ribbon_digest_add(RibbonDigest *digest, uint64_t hash);

/* The digest of all that was added.  *digest cannot be used any more. */
extern uint64_t ribbon_digest_end(RibbonDigest *digest);

#endif /* RIBBON_DIGEST_H */
