/*
 * supply.h - where the result of a key's equation comes from
 *
 * For a filter it is a fingerprint, made from the hash.  For a map the caller
 * supplies a value with each hash, and the fingerprint is beside it, in the
 * order of a system's columns (format/system.h).  Where there are hashes alone,
 * the supply is NULL (set/element.h).
 */
#ifndef RIBBON_SUPPLY_H
#define RIBBON_SUPPLY_H

#include "base/hash.h"
#include "ribbon_core.h"

typedef struct RibbonSupply
{
	unsigned check_bits; /* c: of the fingerprint, without the wide keys' bit */
	unsigned value_bits; /* v: bits of the code, */
	unsigned shift;		 /* from this one on */
	uint64_t base;		 /* what code 0 stands for, if code is NULL */
	RibbonCode code;
	const void *code_arg;
} RibbonSupply;

/* Words of an element. */
static inline size_t
ribbon_supply_stride(const RibbonSupply *supply)
{
	return supply == NULL ? 1 : RIBBON_RECORD_WORDS;
}

/* The supply of a map's plain codes, all their bits, without a fingerprint. */
static inline RibbonSupply
ribbon_supply_of_map(const RibbonValues *values)
{
	return (RibbonSupply){.value_bits = values->bits,
						  .base = (uint64_t) values->base,
						  .code = values->code,
						  .code_arg = values->code_arg};
}

/* The value bits that a value word stands for, in the low bits. */
static inline uint64_t
ribbon_supply_value(const RibbonSupply *supply, uint64_t word)
{
	uint64_t code = supply->code != NULL ?
		supply->code(supply->code_arg, word) :
		word - supply->base;

	return code >> supply->shift & ribbon_low_mask(supply->value_bits);
}

/*
 * The result of an element whose hash is, as the system sees it, hash; with the
 * check bit of wide keys.
 */
static inline uint64_t
ribbon_supply_result(const RibbonSupply *supply, uint64_t hash,
					 const uint64_t *element)
{
	uint64_t print = ribbon_hash_fingerprint(hash);
	unsigned c;

	if (supply == NULL)
		return print;
	c = supply->check_bits;
	return (print & ribbon_low_mask(c)) |
		ribbon_supply_value(supply, element[1]) << c |
		(print >> c & 1) << (c + supply->value_bits);
}

#endif /* RIBBON_SUPPLY_H */
