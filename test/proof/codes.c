/*
 * codes.c - prove how long the table of codes by frequency may be
 * (format/codes.h)
 */
#include "contracts.h"

/*
 * PROVE	ribbon_codes_table_bytes
 * FOR		all numbers of codes
 * UNWIND	1
 */
void
prove_codes_table(void)
{
	RibbonCodes codes;

	assume(codes_contract(&codes));
	codes.front = nondet_bool();
	prove(ribbon_codes_table_bytes(&codes) <= CODES_TABLE);
}
