/*
 * coding.c - prove that integers are read within their bytes (base/coding.h)
 */
#include "contracts.h"
#include "format/plane.h"

static uint8_t bytes[RIBBON_MAX_HEADER];

/*
 * PROVE	ribbon_read_byte
 * FOR		headers of up to 640 bytes
 * UNWIND	1
 */
void
prove_byte(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned result = ribbon_read_byte(&reader);

	prove(byte_contract(&before, &reader, result));
}

/*
 * PROVE	ribbon_read_fixed
 * FOR		headers of up to 640 bytes, numbers of 2, 4 and 8 bytes
 * UNWIND	9
 * REPLACE	ribbon_read_byte:any_byte
 */
void
prove_fixed(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	unsigned nbytes = 2u << (nondet_unsigned() % 3);

	prove(ribbon_read_fixed(&reader, nbytes) >> 8 * (nbytes - 1) <= UINT8_MAX);
	prove(reader_contract(&before, &reader, 8));
	prove(reader.corrupt == before.corrupt);
}

/*
 * PROVE	ribbon_read_varint
 * FOR		headers of up to 640 bytes, any limit
 * UNWIND	11
 * REPLACE	ribbon_read_byte:any_byte
 */
void
prove_varint(void)
{
	RibbonReader reader = any_reader(bytes, sizeof(bytes));
	RibbonReader before = reader;
	uint64_t limit = nondet_uint64();
	uint64_t result;

	result = ribbon_read_varint(&reader, limit);
	prove(varint_contract(&before, &reader, limit, result));
}
