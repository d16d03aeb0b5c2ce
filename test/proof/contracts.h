/*
 * contracts.h - what the proofs know of functions that they do not follow
 *
 * A contract is a predicate: what holds of a function's result for every input
 * that its own comment allows.  One proof asserts it of the function itself.
 * The proofs of its callers then replace the function by any_<function>, which
 * does anything that the contract allows.  So each proof is small.
 *
 * nondet_<type>() is any value of the type, for CBMC, and so is a local
 * variable that nothing has been assigned to.  assume() leaves out the cases
 * in which it does not hold.
 */
#ifndef RIBBON_CONTRACTS_H
#define RIBBON_CONTRACTS_H

#include "base/coding.h"
#include "format/codes.h"

#include <stddef.h>

#define assume(condition) __CPROVER_assume(condition)
#ifdef REACHED /* false, to see that it is reached: prove.sh */
#define prove(condition) __CPROVER_assert((condition) && false, #condition)
#else
#define prove(condition) __CPROVER_assert(condition, #condition)
#endif

bool nondet_bool(void);
uint8_t nondet_byte(void);
int nondet_int(void);
unsigned nondet_unsigned(void);
size_t nondet_size(void);
uint64_t nondet_uint64(void);

/* Any header of up to so many bytes, of any values, and a place in it. */
static inline RibbonReader
any_reader(uint8_t *bytes, size_t most)
{
	size_t size = nondet_size();
	size_t at = nondet_size();

	__CPROVER_havoc_object(bytes);
	assume(size <= most && at <= size);
	return (RibbonReader){bytes + at, bytes + size, nondet_bool(),
						  nondet_bool()};
}

/*
 * All that is read moves the reader forward, not behind its end, and forgets no
 * fault that was seen before.
 */
static inline bool
reader_contract(const RibbonReader *before, const RibbonReader *after,
				size_t most)
{
	return after->end == before->end && after->next >= before->next &&
		after->next <= after->end &&
		(size_t) (after->next - before->next) <= most &&
		after->truncated >= before->truncated &&
		after->corrupt >= before->corrupt;
}

/* Move a reader as that contract allows, by most bytes at most. */
static inline void
move_reader(RibbonReader *reader, size_t most)
{
	size_t n = nondet_size();

	assume(n <= most && n <= (size_t) (reader->end - reader->next));
	reader->next += n;
	reader->truncated |= nondet_bool();
	reader->corrupt |= nondet_bool();
}

/* ribbon_read_byte */
static inline bool
byte_contract(const RibbonReader *before, const RibbonReader *after,
			  unsigned result)
{
	return reader_contract(before, after, 1) && result <= 255 &&
		after->corrupt == before->corrupt &&
		(after->next > before->next || after->truncated);
}

unsigned
any_byte(RibbonReader *reader)
{
	if (reader->next == reader->end)
	{
		reader->truncated = true;
		return 0;
	}
	reader->next++;
	return nondet_byte();
}

/* ribbon_read_varint; what is wrong is 0, and seen at the end */
static inline bool
varint_contract(const RibbonReader *before, const RibbonReader *after,
				uint64_t limit, uint64_t result)
{
	return reader_contract(before, after, limit >> 63 ? 10 : 9) &&
		result <= limit;
}

uint64_t
any_varint(RibbonReader *reader, uint64_t limit)
{
	uint64_t result = nondet_uint64();

	move_reader(reader, limit >> 63 ? 10 : 9);
	assume(result <= limit);
	return result;
}

/*
 * ribbon_codes_read, where nothing is corrupt; bytes of both, at most.  As long
 * as a path is no code, the next level goes on with it, and the last level has
 * codes for all that are left.
 */
#define CODES_HEAD	(1 + 9 * RIBBON_LONGEST_CODE)
#define CODES_TABLE (8 * (RIBBON_MAX_CODES + 1))

static inline bool
level_contract(const RibbonCodes *codes, unsigned i)
{
	const RibbonLevel *level = &codes->levels[i];
	uint64_t behind = (uint64_t) level->first + level->count;
	uint64_t entries = (uint64_t) level->entry + level->count;

	if (level->length > RIBBON_LONGEST_CODE ||
		behind > UINT64_C(1) << level->length ||
		entries > ribbon_codes_entries(codes))
		return false;
	if (i + 1 == codes->nlevels)
		return behind == UINT64_C(1) << level->length &&
			entries == ribbon_codes_entries(codes);
	return level[1].length > level->length &&
		level[1].length <= RIBBON_LONGEST_CODE &&
		level[1].first == behind << (level[1].length - level->length) &&
		level[1].entry == entries;
}

static inline bool
codes_contract(const RibbonCodes *codes)
{
	return codes->nlevels >= 1u + codes->front &&
		codes->nlevels <= RIBBON_MAX_LEVELS &&
		codes->ncodes <= RIBBON_MAX_CODES && codes->entry_bits >= 1 &&
		codes->entry_bits <= RIBBON_MAX_VALUE_BITS &&
		codes->levels[0].first == 0 && codes->levels[0].entry == codes->front &&
		(codes->levels[0].length == 0) == codes->front &&
		codes->levels[0].length <= 18; /* 2^18 is RIBBON_MAX_CODES */
}

#endif /* RIBBON_CONTRACTS_H */
