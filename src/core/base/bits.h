/*
 * bits.h - operations on words, bytes and bit strings, for all machines
 *
 * Most are spelled so that gcc and clang make one or two instructions of them.
 */
#ifndef RIBBON_BITS_H
#define RIBBON_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define RIBBON_LIKELY(x)   __builtin_expect((x) != 0, 1)
#define RIBBON_UNLIKELY(x) __builtin_expect((x) != 0, 0)

/*
 * RIBBON_UNROLL_8 stands before a loop of a constant number of rounds, at most
 * eight, that is to be unrolled; RIBBON_ROLLED before one that is to stay a
 * loop, since its body is too long.
 */
#ifdef __clang__
#define RIBBON_UNROLL_8 _Pragma("clang loop unroll(full)")
#define RIBBON_ROLLED	_Pragma("clang loop unroll(disable)")
#else
#define RIBBON_UNROLL_8 _Pragma("GCC unroll 8")
#define RIBBON_ROLLED	_Pragma("GCC unroll 1")
#endif

/* Number of trailing zeros; x must not be 0. */
static inline int
ribbon_ctz64(uint64_t x)
{
	return __builtin_ctzll(x);
}

/* The bits that x takes: 1 + the number of its highest one; 0 takes none. */
static inline unsigned
ribbon_bit_length(uint64_t x)
{
	return x == 0 ? 0 : 64 - (unsigned) __builtin_clzll(x);
}

/*
 * 1 if an odd number of bits is set.
 *
 * One function for each width, because GCC 14 to 16 stop with an internal
 * compiler error (in expand_fn_using_insn) at the parity of a widened number,
 * in a function that is inlined into one with the target POPCNT: they narrow it
 * to an instruction pattern that only targets without POPCNT have.
 */
static inline uint32_t
ribbon_parity32(uint32_t x)
{
	return (uint32_t) __builtin_parity(x);
}

static inline uint32_t
ribbon_parity64(uint64_t x)
{
	return (uint32_t) __builtin_parityll(x);
}

/*
 * The upper half of the 128-bit product.  For uniform a it maps a to
 * 0 .. b-1 evenly and keeps the order of the a's ("fast range").
 */
static inline uint64_t
ribbon_mulhi(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	return (uint64_t) (((unsigned __int128) a * b) >> 64);
#else
	uint64_t a0 = (uint32_t) a, a1 = a >> 32, b0 = (uint32_t) b, b1 = b >> 32;
	uint64_t mid = a1 * b0 + ((a0 * b0) >> 32);
	uint64_t mid2 = a0 * b1 + (uint32_t) mid;

	return a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

/* The word rotated left by so many bits, modulo 64. */
static inline uint64_t
ribbon_rotate_left(uint64_t word, unsigned bits)
{
	return word << (bits & 63) | word >> (-bits & 63);
}

/* A number whose low n bits are set, 0 <= n <= 64. */
static inline uint64_t
ribbon_low_mask(unsigned n)
{
	return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

static inline uint64_t
ribbon_min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Begin to load all lines of the cache that have some of these bytes. */
static inline __attribute__((always_inline)) void
ribbon_prefetch(const uint8_t *from, unsigned bytes)
{
	for (unsigned b = 0; b < bytes; b += 64)
		__builtin_prefetch(from + b);
	__builtin_prefetch(from + bytes - 1);
}

/*
 * Clear some hundred bytes by the library's memset: the x86 instruction that
 * compilers take for sizes that they know, "rep stos", begins slowly.
 */
static inline void
ribbon_clear(void *p, size_t n)
{
	volatile size_t size = n;

	memset(p, 0, size);
}

/* To a number whose bytes in memory are little-endian, and back. */
static inline uint32_t
ribbon_little32(uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline uint64_t
ribbon_little64(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* Unaligned little-endian loads and stores. */
static inline uint32_t
ribbon_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ribbon_little32(v);
}

static inline uint64_t
ribbon_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return ribbon_little64(v);
}

static inline void
ribbon_store32(uint8_t *p, uint32_t v)
{
	v = ribbon_little32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void
ribbon_store64(uint8_t *p, uint64_t v)
{
	v = ribbon_little64(v);
	memcpy(p, &v, sizeof(v));
}

/*
 * Bits at .. at + n - 1 of the bit string p, n <= 64, in the low n bits.  Bit k
 * of the string is bit k % 8 of byte k / 8.  No byte behind the one of the last
 * bit is read, for the last ICML block may end where the buffer ends; bytes
 * before the first bit may be.  So it loads the eight bytes that end with the
 * last bit, and one more byte where these begin behind the first bit.
 */
static inline uint64_t
ribbon_load_bits(const uint8_t *p, uint64_t at, unsigned n)
{
	uint64_t end = (at + n + 7) >> 3;
	uint64_t value = 0;

	if (n == 0)
		return 0;
	if (end >= 8)
	{
		uint64_t first = 8 * (end - 8);

		value = ribbon_load64(p + end - 8);
		value = at >= first ? value >> (at - first) :
							  value << (first - at) | p[at >> 3] >> (at & 7);
	}
	else
	{
		for (uint64_t i = end; i-- > at >> 3;)
			value = value << 8 | p[i];
		value >>= at & 7;
	}
	return value & ribbon_low_mask(n);
}

/*
 * Write the n <= 64 bits of value at bit at of a bit string that is zero there;
 * value is below 2^n.
 */
static inline void
ribbon_or_bits(uint8_t *p, uint64_t at, unsigned n, uint64_t value)
{
	unsigned shift = (unsigned) (at & 7);
	unsigned done;

	if (n == 0)
		return;
	p += at >> 3;
	*p++ |= (uint8_t) (value << shift);
	for (done = 8 - shift; done < n; done += 8)
		*p++ |= (uint8_t) (value >> done);
}

/* Are the bits from number n of a bit string to the end of its byte zero? */
static inline bool
ribbon_is_padded(const uint8_t *p, uint64_t n)
{
	return n % 8 == 0 || p[n / 8] >> n % 8 == 0;
}

/*
 * In each word of x, bit b of byte a becomes bit a of byte b.  x is a word or a
 * vector of words, t another variable of its type.
 */
#define RIBBON_TRANSPOSE_BITS(x, t) \
	do \
	{ \
		(t) = ((x) ^ (x) >> 7) & UINT64_C(0x00AA00AA00AA00AA); \
		(x) ^= (t) ^ (t) << 7; \
		(t) = ((x) ^ (x) >> 14) & UINT64_C(0x0000CCCC0000CCCC); \
		(x) ^= (t) ^ (t) << 14; \
		(t) = ((x) ^ (x) >> 28) & UINT64_C(0x00000000F0F0F0F0); \
		(x) = (x) ^ (t) ^ (t) << 28; \
	} while (0)

/* Bit 0 of byte b becomes bit b. */
static inline uint8_t
ribbon_low_bits(uint64_t bytes)
{
	return (uint8_t) ((bytes & UINT64_C(0x0101010101010101)) *
						  UINT64_C(0x0102040810204080) >>
					  56);
}

#endif /* RIBBON_BITS_H */
