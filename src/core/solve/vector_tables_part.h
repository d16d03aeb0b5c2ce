/*
 * vector_tables_part.h - sums of rows from tables of 16, for AVX2 and NEON
 *
 * Here is said what each function does; vector_avx512_part.h has those of them
 * that sweeps use.
 */

/* Two tables, each of 16 sums of four bytes (sums_of). */
typedef struct Sums
{
	Vector v[32 / RIBBON_VECTOR_BYTES];
} Sums;

/* One byte of each of eight rows, to add up those of a set: the same tables. */
typedef struct RowSums
{
	Vector low; /* in each 16 bytes */
	Vector high;
} RowSums;

#if defined(__x86_64__)
#include "solve/vector_avx2_part.h"
#else
#include "solve/vector_neon_part.h"
#endif

/* The first and the second words of eight pairs, such as rows of 128 bits. */
KERNEL_INLINE void
pairs_load(const uint64_t *pairs, Line *first, Line *second)
{
	uint64_t words[16];

	RIBBON_UNROLL_8
	for (unsigned c = 0; c < 8; c++)
	{
		words[c] = pairs[2 * c];
		words[8 + c] = pairs[2 * c + 1];
	}
	*first = line_of_words(words);
	*second = line_of_words(words + 8);
}

/* Add words to such pairs, by OR. */
KERNEL_INLINE void
pairs_or(uint64_t *pairs, Line first, Line second)
{
	uint64_t words[16];

	line_store(words, first);
	line_store(words + 8, second);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < 8; c++)
	{
		pairs[2 * c] |= words[c];
		pairs[2 * c + 1] |= words[8 + c];
	}
}

/* In each word, bit b of byte a becomes bit a of byte b. */
KERNEL_INLINE Line
line_transpose_bits(Line x)
{
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		Vector t;

		RIBBON_TRANSPOSE_BITS(x.v[v], t);
	}
	return x;
}

/*
 * Transpose 64 bytes to eight masks of 64 bits: bit b of byte i becomes bit i
 * of word b.
 */
KERNEL_INLINE Line
line_masks(Line x)
{
	return line_transpose_bytes(line_transpose_bits(x));
}

/* The other way round. */
KERNEL_INLINE Line
line_of_masks(Line x)
{
	return line_transpose_bits(line_transpose_bytes(x));
}

/* The same masks, to go on with one by one. */
KERNEL_INLINE void
line_to_masks(Line x, uint64_t *masks)
{
#if defined(__x86_64__)
	__m256i low = (__m256i) x.v[0], high = (__m256i) x.v[1];

	RIBBON_UNROLL_8
	for (unsigned b = 8; b-- > 0;)
	{
		masks[b] = (uint32_t) _mm256_movemask_epi8(low) |
			(uint64_t) (uint32_t) _mm256_movemask_epi8(high) << 32;
		low = _mm256_add_epi8(low, low);
		high = _mm256_add_epi8(high, high);
	}
#else
	line_store(masks, line_masks(x));
#endif
}

/*
 * In each word, invert a triangular 8 x 8 matrix.  Its row c has the bits of
 * byte c above bit c, and bit c set; bits up to c of the byte do not count.
 */
KERNEL_INLINE Vector
vector_invert(Vector x)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	Vector y = vector_all(UINT64_C(0x8040201008040201));

	RIBBON_UNROLL_8
	for (unsigned c = 7; c > 0; c--)
	{
		Vector rows = x >> c & vector_all(ones & ribbon_low_mask(8 * c));

		y ^= ((rows << 8) - rows) &
			vector_shuffle(y, vector_repeat(c * ones, (c + 8) * ones));
	}
	return y;
}

/* Does a set of rows have pivots' rows as they are, with those before added? */
#define SETS_OF_REDUCED false

/* Tracks of a Line, by slot: byte c is that of slot c. */
typedef struct Places
{
	Line at; /* for vector_shuffle */
} Places;

/* at has the tracks: 64 where there is none, which no 16 tracks have. */
KERNEL_INLINE Places
places_of(uint64_t at)
{
	/* the first of 16 tracks, in each byte */
	static const uint64_t tracks_of_words[8] = {0,
												0,
												UINT64_C(0x1010101010101010),
												UINT64_C(0x1010101010101010),
												UINT64_C(0x2020202020202020),
												UINT64_C(0x2020202020202020),
												UINT64_C(0x3030303030303030),
												UINT64_C(0x3030303030303030)};
	Places places;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		places.at.v[v] = (vector_all(at) ^
						  vector_load(tracks_of_words + v * VECTOR_WORDS)) +
			vector_all(UINT64_C(0x7070707070707070));
		places.at.v[v] &= vector_all(UINT64_C(0x8F8F8F8F8F8F8F8F));
	}
	return places;
}

/*
 * The bytes of those tracks, in every word, of which none is below vector from.
 */
KERNEL_INLINE Vector
bytes_at(const Places *places, Line bytes, unsigned from)
{
	Vector sum = vector_shuffle(bytes.v[from], places->at.v[from]);

	RIBBON_UNROLL_8
	for (unsigned v = from + 1; v < VECTORS; v++)
		sum |= vector_shuffle(bytes.v[v], places->at.v[v]);
	return vector_or_across(sum);
}

/* For each track of a Line, a set of the eight rows. */
typedef struct Sets
{
	Line low; /* the low and the high four bits of each set */
	Line high;
} Sets;

KERNEL_INLINE Sets
sets_of(Line bytes)
{
	Sets sets;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		Vector x = bytes.v[v];

		sets.low.v[v] = x & vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
		sets.high.v[v] = x >> 4 & vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	}
	return sets;
}

/* The sums of vector v of the sets. */
KERNEL_INLINE Vector
rows_sums(const RowSums *rows, const Sets *sets, unsigned v)
{
	return vector_shuffle(rows->low, sets->low.v[v]) ^
		vector_shuffle(rows->high, sets->high.v[v]);
}

/* The sets that masks have; those of pivots are at their places. */
KERNEL_INLINE Sets
sets_of_masks(const uint64_t *masks, const Places *places)
{
	(void) places;
	return sets_of(line_of_masks(line_of_words(masks)));
}

/*
 * Those for coefficients in slots that all have a row, whose coefficients in
 * these slots are the bytes of patterns.
 */
KERNEL_INLINE Sets
sets_by_rows(Line coefficients, uint64_t patterns)
{
	/* the rows to add for a coefficient in slot c alone: byte c */
	RowSums inverse = rows_of(vector_invert(vector_all(patterns)));
	Sets of_one = sets_of(coefficients);
	Line sets;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		sets.v[v] = rows_sums(&inverse, &of_one, v);
	return sets_of(sets);
}

/* Eight tracks of a stripe from this one on become the bytes of a word. */
KERNEL_INLINE void
put_tracks(uint8_t *stripe, ptrdiff_t track, uint64_t word)
{
	ribbon_store64(stripe + track, word);
}

/*
 * bits_of[m]: the numbers of the bits set in m, in order, in the last bytes of
 * a word.  0x46, of bits 1, 2 and 6, gives the bytes 0 0 0 0 0 1 2 6.
 */
/* clang-format off */
#define PUSH(m, b, x) \
	((x) >> 8 * ((m) >> (b) & 1) | (uint64_t) ((m) >> (b) & 1) * (b) << 56)
#define BITS_OF(m) \
	PUSH(m, 7, PUSH(m, 6, PUSH(m, 5, PUSH(m, 4, \
	PUSH(m, 3, PUSH(m, 2, PUSH(m, 1, PUSH(m, 0, UINT64_C(0)))))))))
#define BITS_OF_4(m)  BITS_OF(m), BITS_OF((m) + 1), BITS_OF((m) + 2), BITS_OF((m) + 3)
#define BITS_OF_16(m) BITS_OF_4(m), BITS_OF_4((m) + 4), BITS_OF_4((m) + 8), BITS_OF_4((m) + 12)
#define BITS_OF_64(m) BITS_OF_16(m), BITS_OF_16((m) + 16), BITS_OF_16((m) + 32), BITS_OF_16((m) + 48)
/* clang-format on */
static const uint64_t bits_of[256] = {BITS_OF_64(0), BITS_OF_64(64),
									  BITS_OF_64(128), BITS_OF_64(192)};

/* How to move the live tracks of a stripe's Line, eight at a time. */
typedef struct Move
{
	Line from;		/* group g, of tracks 8 * g on, is shuffled by word g */
	unsigned to[8]; /* its eight tracks go here */
} Move;

/* They are moved up to where end is; what is stored below them is no matter. */
KERNEL_INLINE Move
move_of(uint64_t live, unsigned end)
{
	uint64_t words[8];
	Move move;

	RIBBON_UNROLL_8
	for (unsigned g = 8; g-- > 0;)
	{
		unsigned of_group = (unsigned) (live >> 8 * g) & 0xFF;

		/* a shuffle is within 16 bytes */
		words[g] = bits_of[of_group] + g % 2 * UINT64_C(0x0808080808080808);
		move.to[g] = end - 8;
		end -= (unsigned) __builtin_popcount(of_group);
	}
	move.from = line_load(words);
	return move;
}

KERNEL_INLINE void
move_tracks(uint8_t *stripe, unsigned line, const Move *move)
{
	uint64_t moved[8];
	Line bytes = line_load(stripe + 64 * line);

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		bytes.v[v] = vector_shuffle(bytes.v[v], move->from.v[v]);
	line_store(moved, bytes);
	RIBBON_UNROLL_8
	for (unsigned g = 8; g-- > 0;)
		ribbon_store64(stripe + move->to[g], moved[g]);
}
