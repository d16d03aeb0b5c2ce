/*
 * codes.c - prove that codes by frequency are read within their bytes, and that
 * each path comes to one of them (format/codes.h)
 */
#include "format/codes.c"

#include "contracts.h"

static uint8_t bytes[CODES_HEAD];
static RibbonCodes codes;

#define LONGEST 12

/*
 * PROVE	ribbon_codes_read, ribbon_codes_set_levels
 * FOR		codes of up to 12 bits
 * UNWIND	14
 * REPLACE	ribbon_read_varint_of:any_varint
 */
void
prove_codes(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned entry_bits = nondet_unsigned();
	unsigned i = nondet_unsigned();

	assume(entry_bits <= RIBBON_MAX_VALUE_BITS);
	assume(reader.next == reader.end || (*reader.next & 63) <= LONGEST);
	ribbon_codes_read(&reader, entry_bits, &codes);
	prove(reader_contract(&before, &reader, CODES_HEAD));
	prove(reader.corrupt || codes_contract(&codes));
	assume(i < codes.nlevels);
	prove(reader.corrupt || level_contract(&codes, i));
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
