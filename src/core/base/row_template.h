/*
 * row_template.h - the operations of row.h, for rows that are a machine word
 */
#if RIBBON_BITS <= 64

/* The product of two rows, a bit; and the sum of two products. */
static inline uint32_t
ROW_FN(dot)(ROW a, ROW b)
{
	return RIBBON_GLUE(ribbon_parity, RIBBON_BITS, )(a & b);
}

static inline uint32_t
ROW_FN(dot_pair)(ROW a, ROW b, ROW c, ROW d)
{
	return RIBBON_GLUE(ribbon_parity, RIBBON_BITS, )((a & b) ^ (c & d));
}

static inline int
ROW_FN(is_zero)(ROW a)
{
	return a == 0;
}

/* Bits 0 .. 63, and bits 64 .. 127 (0 if there are none). */
static inline uint64_t
ROW_FN(low)(ROW a)
{
	return a;
}

static inline uint64_t
ROW_FN(high)(ROW a)
{
	(void) a;
	return 0;
}

/* Move each bit one slot up, so that bit 0 is free ... */
static inline ROW
ROW_FN(push)(ROW a)
{
	return (ROW) (a << 1);
}

/* ... and set it to bit (0 or 1). */
static inline ROW
ROW_FN(set_front)(ROW a, uint32_t bit)
{
	return (ROW) (a | bit);
}

/* A row that begins at slot offset of a block: its part in that block ... */
static inline ROW
ROW_FN(head)(ROW a, unsigned offset)
{
	return (ROW) (a << offset);
}

/* ... and its part in the next block. */
static inline ROW
ROW_FN(tail)(ROW a, unsigned offset)
{
	return (ROW) (a >> 1 >> (RIBBON_BITS - 1 - offset));
}

/* The coefficient row of a system's hash; bits from nbits on are 0. */
static inline ROW
ROW_FN(coeff)(uint64_t hash, unsigned nbits)
{
	uint64_t c = ribbon_hash_coeff(hash, RIBBON_COEFF_MUL0);

	return (ROW) ((c | 1) & ribbon_low_mask(nbits));
}

/* Bits at .. at + n - 1 of a bit string, as ribbon_load_bits. */
static inline ROW
ROW_FN(load_bits)(const uint8_t *p, uint64_t at, unsigned n)
{
	return (ROW) ribbon_load_bits(p, at, n);
}

/* Or the low n bits of a into a bit string, as ribbon_or_bits. */
static inline void
ROW_FN(or_bits)(uint8_t *p, uint64_t at, unsigned n, ROW a)
{
	ribbon_or_bits(p, at, n, a & (ROW) ribbon_low_mask(n));
}

/* w / 8 bytes, little-endian. */
static inline ROW
ROW_FN(load)(const uint8_t *p)
{
	return RIBBON_GLUE(ribbon_load, RIBBON_BITS, )(p);
}

static inline void
ROW_FN(store)(uint8_t *p, ROW a)
{
	RIBBON_GLUE(ribbon_store, RIBBON_BITS, )(p, a);
}

#endif
