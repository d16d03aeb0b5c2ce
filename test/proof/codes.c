/*
 * codes.c - prove that codes by frequency are read within their bytes, and that
 * each path comes to one of them (format/codes.h)
 */
#include "format/codes.c"

#include "contracts.h"

static uint8_t bytes[CODES_HEAD];
static RibbonCodes codes;

#define LONGEST 5
#define MOST	RIBBON_MAX_CODES /* of one length */

/* A head that says so, or nothing. */
static void
assume_longest(const RibbonReader *reader, unsigned longest)
{
	assume(reader->next == reader->end || (*reader->next & 63) <= longest);
}

/*
 * What was read: how many codes there are of each length; and of each length,
 * how many paths lie in front of those that are no code yet.
 */
static unsigned nread;
static uint32_t counts_read[RIBBON_LONGEST_CODE + 1];
static uint64_t behind[RIBBON_LONGEST_CODE + 1];

/*
 * ribbon_read_varint_of, once for each length.  Up to limit of the paths may be
 * codes, and one goes on: together with those that have ended, they are all.
 * (What is proved of one length is assumed for the next one.)
 */
uint64_t
any_count(RibbonReader *reader, int nbytes, uint64_t limit)
{
	uint64_t count = any_varint(reader, nbytes, limit);
	uint64_t ended = 2 * behind[nread];

	nread++;
	prove(nread < RIBBON_LONGEST_CODE);
	prove(ended + limit + 1 == UINT64_C(1) << nread);
	assume(ended + limit + 1 == UINT64_C(1) << nread);
	counts_read[nread] = (uint32_t) count;
	behind[nread] = ended + count;
	return count;
}

/* ribbon_codes_set_levels */
void
any_levels_set(RibbonCodes *its, const uint32_t *counts, unsigned longest)
{
	unsigned length = nondet_unsigned();

	prove(longest == nread + 1 && longest <= RIBBON_LONGEST_CODE);
	prove(2 * behind[nread] + counts[longest] == UINT64_C(1) << longest);
	assume(length < longest);
	prove(counts[length] == counts_read[length] && counts[length] <= MOST);
	its->ncodes = nondet_unsigned();
}

#define LONG 13

/*
 * PROVE	ribbon_codes_read: each path comes to one code
 * FOR		codes of up to 13 bits
 * UNWIND	15
 * REPLACE	ribbon_read_varint_of:any_count
 *			ribbon_codes_set_levels:any_levels_set
 */
void
prove_codes(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned entry_bits = nondet_unsigned();

	assume(entry_bits <= RIBBON_MAX_VALUE_BITS);
	assume_longest(&reader, LONG);
	ribbon_codes_read(&reader, entry_bits, &codes);
	prove(reader_contract(&before, &reader, CODES_HEAD));
	prove(reader.corrupt ||
		  (codes.ncodes <= RIBBON_MAX_CODES && codes.entry_bits >= 1));
}

/*
 * PROVE	ribbon_codes_read with ribbon_codes_set_levels: levels follow one
 *			another
 * FOR		codes of up to 5 bits
 * UNWIND	7
 * REPLACE	ribbon_read_varint_of:any_varint
 */
void
prove_codes_levels(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	unsigned entry_bits = nondet_unsigned();
	unsigned i = nondet_unsigned();

	assume(entry_bits <= RIBBON_MAX_VALUE_BITS);
	assume_longest(&reader, LONGEST);
	ribbon_codes_read(&reader, entry_bits, &codes);
	prove(reader.corrupt || codes_contract(&codes));
	assume(i < codes.nlevels);
	prove(reader.corrupt || level_contract(&codes, i));
}

/*
 * PROVE	ribbon_codes_set_levels: there is room for all levels
 * FOR		any numbers of codes of up to 32 bits
 * UNWIND	34
 */
void
prove_codes_room(void)
{
	uint32_t counts[RIBBON_LONGEST_CODE + 1];
	unsigned longest = nondet_unsigned();

	assume(longest >= 1 && longest <= RIBBON_LONGEST_CODE);
	codes.front = nondet_bool();
	ribbon_codes_set_levels(&codes, counts, longest);
	prove(codes.nlevels <= RIBBON_MAX_LEVELS);
}

/*
 * PROVE	ribbon_codes_table_bytes
 * FOR		all numbers of codes
 * UNWIND	1
 */
void
prove_codes_table(void)
{
	RibbonCodes any;

	any.front = nondet_bool();
	assume(codes_contract(&any));
	prove(ribbon_codes_table_bytes(&any) <= CODES_TABLE);
}
