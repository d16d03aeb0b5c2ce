/*
 * codes.c - prove that codes by frequency are read within their bytes, and that
 * each path comes to one of them (format/codes.h)
 */
#include "format/codes.c"

#include "contracts.h"

static uint8_t bytes[CODES_HEAD];
static RibbonCodes codes;

#define MOST RIBBON_MAX_CODES /* of one length */

/*
 * What was read: of the last length, how many paths lie in front of those that
 * are no code yet; and of one length, any, how many codes there are.
 */
static unsigned nread;
static uint64_t behind, sum;
static unsigned noted;
static uint64_t count_noted;

/*
 * ribbon_read_varint, once for each length.  Up to limit of the paths may be
 * codes, and one goes on: together with those that have ended, they are all.
 * (What is proved of one length is assumed for the next one.)
 */
uint64_t
any_count(RibbonReader *reader, uint64_t limit)
{
	uint64_t count = nondet_uint64();
	uint64_t ended = 2 * behind;

	move_reader(reader, 9);
	assume(count <= limit);
	nread++;
	prove(nread < RIBBON_LONGEST_CODE);
	prove(ended + limit + 1 == UINT64_C(1) << nread);
	assume(ended + limit + 1 == UINT64_C(1) << nread);
	behind = ended + count;
	sum += count;
	if (nread == noted)
		count_noted = count;
	return count;
}

/* ribbon_codes_set_levels */
void
any_levels_set(RibbonCodes *its, const uint32_t *set, unsigned of)
{
	prove(of == nread + 1 && of <= RIBBON_LONGEST_CODE);
	prove(set[0] == 0 && sum + set[of] <= 2 * MOST);
	prove(2 * behind + set[of] == UINT64_C(1) << of);
	if (noted < of)
		prove(set[noted] == count_noted && count_noted <= MOST);
	its->ncodes = nondet_unsigned();
}

/*
 * PROVE	ribbon_codes_read: each path comes to one code
 * FOR		codes of up to 32 bits
 * UNWIND	33
 * REPLACE	ribbon_read_varint:any_count
 *			ribbon_codes_set_levels:any_levels_set
 */
void
prove_codes(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned entry_bits = nondet_unsigned();

	assume(entry_bits <= RIBBON_MAX_VALUE_BITS);
	noted = nondet_unsigned();
	ribbon_codes_read(&reader, entry_bits, &codes);
	prove(reader_contract(&before, &reader, CODES_HEAD));
	prove(reader.corrupt ||
		  (codes.ncodes <= RIBBON_MAX_CODES && codes.entry_bits >= 1));
}

/*
 * PROVE	add_level: it adds a level, or none, and changes no other
 * FOR		codes of up to 32 bits
 * UNWIND	1
 */
void
prove_level(void)
{
	RibbonCodes before;
	uint64_t next = nondet_uint64(), next_before = next;
	unsigned length = nondet_unsigned(), i = nondet_unsigned();
	uint32_t count = nondet_unsigned();
	bool adds;

	before.front = nondet_bool();
	assume(before.nlevels < RIBBON_MAX_LEVELS && length <= RIBBON_LONGEST_CODE);
	assume(count <= 2 * MOST && before.ncodes <= 2 * MOST - count);
	assume(next <= UINT64_C(1) << RIBBON_LONGEST_CODE);
	assume(i < RIBBON_MAX_LEVELS);
	codes = before;
	add_level(&codes, length, count, &next);
	adds = count > 0 || (codes.front && length == 0);
	prove(codes.nlevels == before.nlevels + adds);
	prove(codes.ncodes == before.ncodes + count);
	prove(next == next_before + count && codes.front == before.front);
	if (adds && i == before.nlevels)
		prove(codes.levels[i].length == length &&
			  codes.levels[i].first == (uint32_t) next_before &&
			  codes.levels[i].count == count &&
			  codes.levels[i].entry == before.ncodes + codes.front);
	else
		prove(codes.levels[i].length == before.levels[i].length &&
			  codes.levels[i].first == before.levels[i].first &&
			  codes.levels[i].count == before.levels[i].count &&
			  codes.levels[i].entry == before.levels[i].entry);
}

/*
 * The level that was added last; the least path behind it, doubled for each
 * length since, which is a shift by as many bits; the length that comes next,
 * the longest one, and how many codes there are of each.
 */
static RibbonLevel last;
static uint64_t behind_last;
static unsigned next_length, longest;
static uint32_t counts[RIBBON_LONGEST_CODE + 1];

/*
 * add_level.  A level that is added follows the last one, as level_contract
 * says.  (What is proved of one length is assumed for the next one.)
 */
void
any_level(RibbonCodes *its, unsigned length, uint32_t count, uint64_t *next)
{
	bool adds = count > 0 || (codes.front && length == 0);
	bool follows = codes.nlevels == 0 ?
		*next == 0 && its->ncodes == 0 :
		*next == behind_last && length > last.length &&
			its->ncodes + codes.front == last.entry + last.count;

	prove(its == &codes && length == next_length);
	prove(length <= RIBBON_LONGEST_CODE && count == counts[length]);
	prove(*next == 2 * behind && its->ncodes == sum);
	assume(*next == 2 * behind && its->ncodes == sum);
	prove(codes.nlevels <= length);
	assume(codes.nlevels <= length);
	prove(follows);
	assume(follows);
	next_length++;
	behind_last *= 2;
	behind = *next + count;
	sum += count;
	/* as ribbon_codes_read has them: see prove_codes */
	assume(sum <= 2 * MOST);
	assume(length == longest ? behind == UINT64_C(1) << length :
							   behind < UINT64_C(1) << length);
	if (adds)
	{
		prove(codes.nlevels > 0 || (length == 0) == codes.front);
		last = (RibbonLevel){length, (uint32_t) *next, count,
							 its->ncodes + codes.front};
		behind_last = 2 * ((uint64_t) last.first + last.count);
		its->nlevels++;
		its->ncodes += count;
		*next += count;
	}
	if (length == longest)
		prove(adds && last.length == length &&
			  (uint64_t) last.first + last.count == UINT64_C(1) << length &&
			  last.entry + last.count == ribbon_codes_entries(its));
}

/*
 * PROVE	ribbon_codes_set_levels: each level follows the one before
 * FOR		codes of up to 32 bits
 * UNWIND	34
 * REPLACE	add_level:any_level
 */
void
prove_codes_levels(void)
{
	longest = nondet_unsigned();
	assume(longest >= 1 && longest <= RIBBON_LONGEST_CODE);
	for (unsigned n = 1; n <= RIBBON_LONGEST_CODE; n++)
		counts[n] = nondet_unsigned();
	codes.front = nondet_bool();
	ribbon_codes_set_levels(&codes, counts, longest);
	prove(next_length == longest + 1);
}

/*
 * PROVE	ribbon_codes_set_levels: there is room for all levels
 * FOR		any numbers of codes of up to 32 bits
 * UNWIND	34
 */
void
prove_codes_room(void)
{
	longest = nondet_unsigned();
	assume(longest >= 1 && longest <= RIBBON_LONGEST_CODE);
	codes.front = nondet_bool();
	for (unsigned n = 0; n <= RIBBON_LONGEST_CODE; n++)
		counts[n] = nondet_unsigned();
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
