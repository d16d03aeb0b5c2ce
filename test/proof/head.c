/*
 * head.c - prove that heads are read within their bytes, and what they may say
 * (format/head.c)
 */
#include "format/head.c"

#include "contracts.h"
#include "heads.h"

static uint8_t bytes[RIBBON_MAX_SLICE];
static RibbonFilter filter;
static RibbonPlane plane;
static RibbonBodies bodies;

bool
any_parts(uint64_t nbytes, uint64_t nextra, RibbonFilter *its_filter,
		  RibbonCodes *codes, uint64_t *end)
{
	(void) nbytes;
	(void) codes;
	prove(nextra <= INT64_MAX && its_filter->ndictionary <= INT64_MAX);
	prove(*end == its_filter->inside.head_bytes);
	return nondet_bool();
}

/*
 * PROVE	find_parts: dictionary and codes lie within the value
 * FOR		values of up to 2^16 bytes, whatever the head says
 * UNWIND	1
 * REPLACE	ribbon_codes_table_bytes:any_table
 */
void
prove_parts(void)
{
	RibbonFilter its; /* any */
	uint64_t nbytes = nondet_uint64();
	uint64_t nextra = nondet_uint64();
	uint64_t head_bytes = nondet_uint64();
	uint64_t end = head_bytes;
	RibbonCodes codes;

	assume(nbytes <= UINT16_MAX && head_bytes <= nbytes);
	assume(nextra <= INT64_MAX);
	its.ndictionary = nondet_uint64();
	assume(its.ndictionary <= INT64_MAX);
	codes.nlevels = nondet_unsigned();
	table_bytes = nondet_uint64();
	if (!find_parts(nbytes, nextra, &its, &codes, &end))
		return;
	prove(head_bytes <= end && end <= nbytes);
	prove(its.ndictionary == 0 ||
		  (its.dictionary_at == head_bytes &&
		   its.ndictionary <= end - head_bytes));
	prove(codes.nlevels == 0 ||
		  (codes.table_at == head_bytes + its.ndictionary &&
		   table_bytes <= end - codes.table_at));
}

/*
 * PROVE	ribbon_format_decode_head
 * FOR		heads of which up to 1800 bytes are there
 * UNWIND	9
 * REPLACE	ribbon_read_byte:any_byte ribbon_read_varint:any_varint
 *			ribbon_codes_read:any_codes ribbon_format_read_exact:any_exact
 *			ribbon_key_class_is_valid:any_answer memset:zero_again
 *			find_parts:any_parts
 */
void
prove_head(void)
{
	size_t nheader = nondet_size();
	uint64_t end;

	assume(nheader <= sizeof(bytes));
	if (ribbon_format_decode_head(bytes, nheader, nondet_uint64(), &filter,
								  &plane, &bodies, &end) != RIBBON_OK)
		return;
	prove(filter.inside.head_bytes <= nheader);
	prove(head_contract(&filter, &plane, &bodies));
}
