/*
 * utf8.c - prove that texts are read within their bytes (values/utf8.h)
 */
#include "values/utf8.c"

#include "loads.h"

/*
 * PROVE	character_size
 * FOR		texts of up to 2^32 bytes
 * UNWIND	4
 */
void
prove_character(void)
{
	size_t size = nondet_size();
	const uint8_t *at = malloc(size);

	assume(at != NULL && size >= 1 && size <= UINT32_MAX);
	prove(character_size(at, at + size) <= size);
}

size_t
any_character(const uint8_t *at, const uint8_t *end)
{
	size_t size = nondet_size();

	prove(at < end && __CPROVER_r_ok(at, (size_t) (end - at)));
	assume(size <= (size_t) (end - at));
	return size;
}

/*
 * PROVE	ribbon_is_utf8
 * FOR		texts of up to 16 bytes
 * UNWIND	17
 * REPLACE	character_size:any_character ribbon_load64:any_load64
 */
void
prove_utf8(void)
{
	size_t size = nondet_size();
	const char *text = malloc(size);

	assume(text != NULL && size <= 16);
	ribbon_is_utf8(text, size);
}
