/*
 * codes.c - prove that codes by frequency are read within their bytes, and that
 * each path comes to one of them (format/codes.h)
 */
#include "format/codes.c"

#include "contracts.h"

static uint8_t bytes[CODES_HEAD];
static RibbonCodes codes;

/*
 * PROVE	ribbon_codes_read, ribbon_codes_set_levels
 * FOR		all lengths and numbers of codes
 * UNWIND	34
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint_of:any_varint
 * FLAGS	--sat-solver cadical
 */
void
prove_codes(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned entry_bits = nondet_unsigned();
	unsigned i = nondet_unsigned();

	assume(entry_bits <= RIBBON_MAX_VALUE_BITS);
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
