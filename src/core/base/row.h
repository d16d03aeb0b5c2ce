/*
 * row.h - coefficient rows of 32, 64 and 128 bits
 *
 * One set of functions per ribbon width w, so that a template (base/template.h)
 * is written once and compiled for each.  Bit i of a row stands for slot
 * start + i.  All shifts are by less than w.  In the comments below, bits is w.
 */
#ifndef RIBBON_ROW_H
#define RIBBON_ROW_H

#include "base/hash.h"

/* clang-format off */
#define RIBBON_ROW_OPS(bits, type) \
/* Sum, product of bits, parity, and parity of the product. */ \
static inline type \
ribbon_row##bits##_xor(type a, type b) \
{ \
	return a ^ b; \
} \
static inline type \
ribbon_row##bits##_and(type a, type b) \
{ \
	return a & b; \
} \
static inline uint32_t \
ribbon_row##bits##_parity(type a) \
{ \
	return ribbon_parity##bits(a); \
} \
static inline uint32_t \
ribbon_row##bits##_dot(type a, type b) \
{ \
	return ribbon_parity##bits(a & b); \
} \
static inline int \
ribbon_row##bits##_is_zero(type a) \
{ \
	return a == 0; \
} \
/* The number of zeros below the lowest set bit; a is not 0. */ \
static inline unsigned \
ribbon_row##bits##_ctz(type a) \
{ \
	return (unsigned) ribbon_ctz64(a); \
} \
static inline type \
ribbon_row##bits##_shr(type a, unsigned n) \
{ \
	return a >> n; \
} \
/* Bits 0 .. 63, and bits 64 .. 127 (0 if there are none). */ \
static inline uint64_t \
ribbon_row##bits##_low(type a) \
{ \
	return a; \
} \
static inline uint64_t \
ribbon_row##bits##_high(type a) \
{ \
	(void) a; \
	return 0; \
} \
/* Move each bit one slot up, so that bit 0 is free ... */ \
static inline type \
ribbon_row##bits##_push(type a) \
{ \
	return (type) (a << 1); \
} \
/* ... and set it to bit (0 or 1). */ \
static inline type \
ribbon_row##bits##_set_front(type a, uint32_t bit) \
{ \
	return (type) (a | bit); \
} \
/* A row that begins at slot offset of a block: its part in that block ... */ \
static inline type \
ribbon_row##bits##_head(type a, unsigned offset) \
{ \
	return (type) (a << offset); \
} \
/* ... and its part in the next block. */ \
static inline type \
ribbon_row##bits##_tail(type a, unsigned offset) \
{ \
	return (type) (a >> 1 >> (bits - 1 - offset)); \
} \
/* The first n bits of low, then high; 0 < n < bits. */ \
static inline type \
ribbon_row##bits##_append(type low, unsigned n, type high) \
{ \
	return (type) (low | high << n); \
} \
/* The coefficient row of a system's hash; bits from nbits on are 0. */ \
static inline type \
ribbon_row##bits##_coeff(uint64_t hash, unsigned nbits) \
{ \
	uint64_t c = ribbon_hash_coeff(hash, RIBBON_COEFF_MUL0); \
\
	return (type) ((c | 1) & ribbon_low_mask(nbits)); \
} \
/* Bits at .. at + n - 1 of a bit string, as ribbon_load_bits. */ \
static inline type \
ribbon_row##bits##_load_bits(const uint8_t *p, uint64_t at, unsigned n) \
{ \
	return (type) ribbon_load_bits(p, at, n); \
} \
/* Or the low n bits of a into a bit string, as ribbon_or_bits. */ \
static inline void \
ribbon_row##bits##_or_bits(uint8_t *p, uint64_t at, unsigned n, type a) \
{ \
	ribbon_or_bits(p, at, n, a & (type) ribbon_low_mask(n)); \
} \
/* w / 8 bytes, little-endian. */ \
static inline type \
ribbon_row##bits##_load(const uint8_t *p) \
{ \
	return ribbon_load##bits(p); \
} \
static inline void \
ribbon_row##bits##_store(uint8_t *p, type a) \
{ \
	ribbon_store##bits(p, a); \
} \
static inline type \
ribbon_row##bits##_zero(void) \
{ \
	return 0; \
}
/* clang-format on */

typedef uint32_t RibbonRow32;
typedef uint64_t RibbonRow64;
RIBBON_ROW_OPS(32, RibbonRow32)
RIBBON_ROW_OPS(64, RibbonRow64)

/* Bits 0 .. 63 and 64 .. 127: not every compiler has a 128-bit integer. */
typedef struct RibbonRow128
{
	uint64_t lo;
	uint64_t hi;
} RibbonRow128;

static inline RibbonRow128
ribbon_row128_zero(void)
{
	RibbonRow128 zero = {0, 0};

	return zero;
}

static inline RibbonRow128
ribbon_row128_xor(RibbonRow128 a, RibbonRow128 b)
{
	a.lo ^= b.lo;
	a.hi ^= b.hi;
	return a;
}

static inline RibbonRow128
ribbon_row128_and(RibbonRow128 a, RibbonRow128 b)
{
	a.lo &= b.lo;
	a.hi &= b.hi;
	return a;
}

static inline uint32_t
ribbon_row128_parity(RibbonRow128 a)
{
	return ribbon_parity64(a.lo ^ a.hi);
}

static inline uint32_t
ribbon_row128_dot(RibbonRow128 a, RibbonRow128 b)
{
	return ribbon_parity64((a.lo & b.lo) ^ (a.hi & b.hi));
}

static inline int
ribbon_row128_is_zero(RibbonRow128 a)
{
	return (a.lo | a.hi) == 0;
}

static inline unsigned
ribbon_row128_ctz(RibbonRow128 a)
{
	return a.lo ? (unsigned) ribbon_ctz64(a.lo) :
				  64 + (unsigned) ribbon_ctz64(a.hi);
}

static inline RibbonRow128
ribbon_row128_shr(RibbonRow128 a, unsigned n)
{
	if (n >= 64)
	{
		a.lo = a.hi >> (n - 64);
		a.hi = 0;
	}
	else if (n > 0)
	{
		a.lo = a.lo >> n | a.hi << (64 - n);
		a.hi >>= n;
	}
	return a;
}

static inline uint64_t
ribbon_row128_low(RibbonRow128 a)
{
	return a.lo;
}

static inline uint64_t
ribbon_row128_high(RibbonRow128 a)
{
	return a.hi;
}

static inline RibbonRow128
ribbon_row128_push(RibbonRow128 a)
{
	a.hi = a.hi << 1 | a.lo >> 63;
	a.lo <<= 1;
	return a;
}

static inline RibbonRow128
ribbon_row128_set_front(RibbonRow128 a, uint32_t bit)
{
	a.lo |= bit;
	return a;
}

/* (without branches: the offset differs from probe to probe) */
static inline RibbonRow128
ribbon_row128_head(RibbonRow128 a, unsigned offset)
{
	unsigned shift = offset % 64;
	uint64_t beyond = -(uint64_t) (offset / 64);
	uint64_t lo = a.lo << shift;
	uint64_t hi = a.hi << shift | a.lo >> 1 >> (63 - shift);

	a.lo = lo & ~beyond;
	a.hi = (hi & ~beyond) | (lo & beyond);
	return a;
}

static inline RibbonRow128
ribbon_row128_tail(RibbonRow128 a, unsigned offset)
{
	unsigned shift = offset % 64;
	uint64_t beyond = -(uint64_t) (offset / 64);
	uint64_t lo = a.hi << shift | a.lo >> 1 >> (63 - shift);
	uint64_t hi = a.hi >> 1 >> (63 - shift);

	a.lo = (hi & ~beyond) | (lo & beyond);
	a.hi = hi & beyond;
	return a;
}

static inline RibbonRow128
ribbon_row128_append(RibbonRow128 low, unsigned n, RibbonRow128 high)
{
	if (n >= 64)
		low.hi |= high.lo << (n - 64);
	else
	{
		low.lo |= high.lo << n;
		low.hi |= high.hi << n | high.lo >> (64 - n);
	}
	return low;
}

static inline RibbonRow128
ribbon_row128_coeff(uint64_t hash, unsigned nbits)
{
	RibbonRow128 r;

	r.lo = ribbon_hash_coeff(hash, RIBBON_COEFF_MUL0) | 1;
	r.hi = ribbon_hash_coeff(hash, RIBBON_COEFF_MUL1);
	r.lo &= ribbon_low_mask(nbits);
	r.hi &= nbits > 64 ? ribbon_low_mask(nbits - 64) : 0;
	return r;
}

static inline RibbonRow128
ribbon_row128_load_bits(const uint8_t *p, uint64_t at, unsigned n)
{
	RibbonRow128 r;

	r.lo = ribbon_load_bits(p, at, n < 64 ? n : 64);
	r.hi = n > 64 ? ribbon_load_bits(p, at + 64, n - 64) : 0;
	return r;
}

static inline void
ribbon_row128_or_bits(uint8_t *p, uint64_t at, unsigned n, RibbonRow128 a)
{
	unsigned low = n < 64 ? n : 64;

	ribbon_or_bits(p, at, low, a.lo & ribbon_low_mask(low));
	if (n > 64)
		ribbon_or_bits(p, at + 64, n - 64, a.hi & ribbon_low_mask(n - 64));
}

static inline RibbonRow128
ribbon_row128_load(const uint8_t *p)
{
	RibbonRow128 r;

	r.lo = ribbon_load64(p);
	r.hi = ribbon_load64(p + 8);
	return r;
}

static inline void
ribbon_row128_store(uint8_t *p, RibbonRow128 a)
{
	ribbon_store64(p, a.lo);
	ribbon_store64(p + 8, a.hi);
}

#endif /* RIBBON_ROW_H */
