/*
 * row.h - coefficient rows of 32, 64 and 128 bits
 *
 * The same functions for each ribbon width w, so that a template
 * (widths_template.h) is written once; row_template.h says what they do.  Only
 * append is for w = 128 alone.  Bit i of a row stands for slot start + i.  All
 * shifts are by less than w.
 */
#ifndef RIBBON_ROW_H
#define RIBBON_ROW_H

#include "base/hash.h"

typedef uint32_t RibbonRow32;
typedef uint64_t RibbonRow64;

#define RIBBON_TEMPLATE "base/row_template.h"
#include "base/widths_template.h"

/* Bits 0 .. 63 and 64 .. 127: not every compiler has a 128-bit integer. */
typedef struct RibbonRow128
{
	uint64_t lo;
	uint64_t hi;
} RibbonRow128;

static inline uint32_t
ribbon_row128_dot(RibbonRow128 a, RibbonRow128 b)
{
	return ribbon_parity64((a.lo & b.lo) ^ (a.hi & b.hi));
}

static inline uint32_t
ribbon_row128_dot_pair(RibbonRow128 a, RibbonRow128 b, RibbonRow128 c,
					   RibbonRow128 d)
{
	uint64_t lo = (a.lo & b.lo) ^ (c.lo & d.lo);

	return ribbon_parity64(lo ^ (a.hi & b.hi) ^ (c.hi & d.hi));
}

static inline int
ribbon_row128_is_zero(RibbonRow128 a)
{
	return (a.lo | a.hi) == 0;
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

/* low, whose bits from n on are 0, and behind them high; 0 < n < 128. */
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
