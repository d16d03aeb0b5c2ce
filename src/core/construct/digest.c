/*
 * digest.c - BLAKE2b of hashes, a 64-bit digest
 *
 * Tables, and the variables v, h and m, are those of RFC 7693.
 */
#include "construct/digest.h"

#include "base/bits.h"

#include <stdbool.h>
#include <string.h>

#define ROUNDS 12

static const uint64_t iv[8] = {UINT64_C(0x6A09E667F3BCC908),
							   UINT64_C(0xBB67AE8584CAA73B),
							   UINT64_C(0x3C6EF372FE94F82B),
							   UINT64_C(0xA54FF53A5F1D36F1),
							   UINT64_C(0x510E527FADE682D1),
							   UINT64_C(0x9B05688C2B3E6C1F),
							   UINT64_C(0x1F83D9ABFB41BD6B),
							   UINT64_C(0x5BE0CD19137E2179)};

/*
 * The order of a block's words in each round; rounds 10 and 11 repeat 0 and 1.
 */
static const uint8_t sigma[10][16] =
	{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	 {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	 {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	 {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	 {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	 {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	 {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	 {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	 {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	 {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

/* The parameter block's first word: no key, a digest of eight bytes. */
#define PARAMETERS UINT64_C(0x01010008)

/* G of the RFC, which rotates to the right. */
static inline void
mix(uint64_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x,
	uint64_t y)
{
	v[a] += v[b] + x;
	v[d] = ribbon_rotate_left(v[d] ^ v[a], 64 - 32);
	v[c] += v[d];
	v[b] = ribbon_rotate_left(v[b] ^ v[c], 64 - 24);
	v[a] += v[b] + y;
	v[d] = ribbon_rotate_left(v[d] ^ v[a], 64 - 16);
	v[c] += v[d];
	v[b] = ribbon_rotate_left(v[b] ^ v[c], 64 - 63);
}

/* F of the RFC. */
static void
compress(RibbonDigest *digest, const uint64_t *m, bool last)
{
	uint64_t *h = digest->state;
	uint64_t v[16];

	memcpy(v, h, sizeof(digest->state));
	memcpy(v + 8, iv, sizeof(iv));
	v[12] ^= digest->nbytes;
	if (last)
		v[14] = ~v[14];
	for (unsigned round = 0; round < ROUNDS; round++)
	{
		const uint8_t *s = sigma[round % 10];

		for (unsigned i = 0; i < 4; i++)
			mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
		for (unsigned i = 0; i < 4; i++)
			mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4,
				m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
	}
	for (unsigned i = 0; i < 8; i++)
		h[i] ^= v[i] ^ v[i + 8];
}

void
ribbon_digest_init(RibbonDigest *digest)
{
	memcpy(digest->state, iv, sizeof(iv));
	digest->state[0] ^= PARAMETERS;
	digest->nblock = 0;
	digest->nbytes = 0;
}

/*
 * A full block is compressed when the next hash shows that it is not the last.
 */
void
ribbon_digest_add(RibbonDigest *digest, uint64_t hash)
{
	if (digest->nblock == RIBBON_DIGEST_BLOCK)
	{
		digest->nbytes += sizeof(digest->block);
		compress(digest, digest->block, false);
		digest->nblock = 0;
	}
	digest->block[digest->nblock++] = hash;
}

uint64_t
ribbon_digest_end(RibbonDigest *digest)
{
	digest->nbytes += digest->nblock * sizeof(uint64_t);
	memset(digest->block + digest->nblock, 0,
		   (RIBBON_DIGEST_BLOCK - digest->nblock) * sizeof(uint64_t));
	compress(digest, digest->block, true);
	return digest->state[0];
}
