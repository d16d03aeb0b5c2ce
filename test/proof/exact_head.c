/*
 * exact_head.c - prove that heads of exact sets are read within their bytes,
 * and what follows from them for the planes (format/format.h)
 */
#include "format/exact_head.c"

#include "contracts.h"
#include "heads.h"

static uint8_t bytes[RIBBON_MAX_HEAD];
static RibbonFilter filter;
static RibbonPlane plane;
static RibbonBodies bodies;

/*
 * PROVE	ribbon_format_read_exact
 * FOR		heads of up to 160 bytes
 * UNWIND	9
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint:any_varint
 */
void
prove_exact_head(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned flags = nondet_byte();

	plane.nkeys = nondet_uint64();
	assume(plane.nkeys <= RIBBON_MAX_KEYS);
	ribbon_format_read_exact(&reader, flags, &filter, &plane, &bodies);
	prove(reader_contract(&before, &reader, EXACT_HEAD));
	prove(reader.corrupt || exact_contract(flags, &filter, &plane, &bodies));
}
