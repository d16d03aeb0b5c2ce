/*
 * dictionary.c - prove that a map's dictionary is read within its bytes
 * (values/dictionary.h)
 */
#include "values/dictionary.c"

#include "contracts.h"
#include <stdlib.h>

static RibbonFilter map;

/* size bytes, whatever they are. */
static const uint8_t *
any_bytes(size_t size)
{
	const uint8_t *bytes = malloc(size);

	assume(bytes != NULL);
	return bytes;
}

/* Slices of the dictionary are of as many bytes as it has there. */
static const uint8_t *
fetch_of_map(void *arg, uint64_t at, size_t size)
{
	(void) arg;
	prove(size >= 1 && size <= RIBBON_MAX_SLICE);
	prove(at >= map.dictionary_at && at - map.dictionary_at <= map.ndictionary);
	prove(size <= map.ndictionary - (at - map.dictionary_at));
	return any_bytes(size);
}

/* A map with a dictionary, as its head may say. */
static void
begin_map(bool sliced)
{
	map.ndictionary = nondet_uint64();
	map.dictionary_at = nondet_uint64();
	assume(map.ndictionary <= UINT32_MAX);
	assume(map.dictionary_at <= UINT32_MAX);
	map.value_bits = nondet_byte();
	map.has_null = nondet_bool();
	if (sliced)
		map.fetch = fetch_of_map;
	else
		map.dictionary = any_bytes(map.ndictionary);
}

/* ribbon_dictionary_open, where it returns RIBBON_OK */
static bool
dictionary_contract(const RibbonDictionary *dictionary)
{
	return dictionary->nvalues <= RIBBON_DICTIONARY_VALUES &&
		(dictionary->end_size == 1 || dictionary->end_size == 2 ||
		 dictionary->end_size == 4) &&
		dictionary->ends_at <= MAX_BEFORE_ENDS &&
		dictionary->texts_at ==
		dictionary->ends_at + dictionary->nvalues * dictionary->end_size &&
		dictionary->texts_at <= map.ndictionary &&
		dictionary->text_bytes == map.ndictionary - dictionary->texts_at;
}

static void
open_any(bool sliced)
{
	RibbonDictionary dictionary;

	begin_map(sliced);
	if (ribbon_dictionary_open(&map, &dictionary) != RIBBON_OK)
		return;
	prove(dictionary_contract(&dictionary));
	prove(dictionary.schema[0] > 0 && dictionary.type[0] > 0);
	prove(dictionary.type == dictionary.schema + 1 + dictionary.schema[0]);
	prove(2u + dictionary.schema[0] + dictionary.type[0] < dictionary.ends_at);
}

/*
 * PROVE	ribbon_dictionary_open
 * FOR		dictionaries of up to 2^32 bytes, in memory
 * UNWIND	10
 */
void
prove_dictionary(void)
{
	open_any(false);
}

/*
 * PROVE	ribbon_dictionary_open
 * FOR		dictionaries of up to 2^32 bytes, in slices
 * UNWIND	10
 */
void
prove_dictionary_slices(void)
{
	open_any(true);
}

static void
find_any(bool sliced)
{
	RibbonDictionary dictionary;
	uint32_t code = nondet_unsigned();
	uint64_t at;
	uint32_t size;

	begin_map(sliced);
	assume(dictionary_contract(&dictionary) && code < dictionary.nvalues);
	if (ribbon_dictionary_find(&map, &dictionary, code, &at, &size) ==
		RIBBON_OK)
		prove(at >= dictionary.texts_at && at <= map.ndictionary &&
			  size <= map.ndictionary - at);
}

/*
 * PROVE	ribbon_dictionary_find
 * FOR		dictionaries of up to 2^32 bytes, in memory
 * UNWIND	1
 */
void
prove_text(void)
{
	find_any(false);
}

/*
 * PROVE	ribbon_dictionary_find
 * FOR		dictionaries of up to 2^32 bytes, in slices
 * UNWIND	1
 */
void
prove_text_slices(void)
{
	find_any(true);
}

RibbonStatus
any_dictionary(const RibbonFilter *its, RibbonDictionary *dictionary)
{
	RibbonDictionary any;
	size_t schema = nondet_byte();

	assume(dictionary_contract(&any) && any.nvalues <= 3);
	assume(schema > 0 && schema + 4 < any.ends_at);
	any.schema = its->dictionary;
	any.type = its->dictionary + 1 + schema;
	assume(2u + schema + any.type[0] < any.ends_at);
	*dictionary = any;
	return nondet_bool() ? RIBBON_OK : RIBBON_BAD_DICTIONARY;
}

RibbonStatus
any_text(const RibbonFilter *its, const RibbonDictionary *dictionary,
		 uint32_t code, uint64_t *at, uint32_t *size)
{
	prove(code < dictionary->nvalues);
	*at = nondet_uint64();
	*size = nondet_unsigned();
	assume(*at >= dictionary->texts_at && *at <= its->ndictionary &&
		   *size <= its->ndictionary - *at);
	return nondet_bool() ? RIBBON_OK : RIBBON_BAD_ORDER;
}

bool
any_utf8(const char *text, size_t size)
{
	prove(size == 0 || __CPROVER_r_ok(text, size));
	return nondet_bool();
}

int
any_order(const void *a, const void *b, size_t size)
{
	prove(__CPROVER_r_ok(a, size) && __CPROVER_r_ok(b, size));
	return nondet_int();
}

static bool
any_interrupt(void *arg)
{
	(void) arg;
	return nondet_bool();
}

/*
 * PROVE	check_text
 * FOR		texts of up to 8 MB
 * UNWIND	4
 * REPLACE	ribbon_is_utf8:any_utf8
 */
void
prove_text_check(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	uint32_t size = nondet_unsigned();

	assume(size <= 2 * RIBBON_INTERRUPT_BYTES);
	check_text(&env, (const char *) any_bytes(size), size);
}

RibbonStatus
any_text_status(const RibbonEnv *env, const char *text, uint32_t size)
{
	(void) env;
	prove(size == 0 || __CPROVER_r_ok(text, size));
	return nondet_bool() ? RIBBON_OK : RIBBON_BAD_TEXT;
}

/*
 * PROVE	ribbon_dictionary_check, ribbon_dictionary_is_head
 * FOR		dictionaries of up to 2^32 bytes, and of up to 3 texts
 * UNWIND	4
 * REPLACE	ribbon_dictionary_open:any_dictionary ribbon_is_utf8:any_utf8
 *			ribbon_dictionary_find:any_text check_text:any_text_status
 *			memcmp:any_order
 */
void
prove_dictionary_check(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};

	begin_map(false);
	map.ndictionary = nondet_bool() ? map.ndictionary : 0;
	ribbon_dictionary_check(&env, &map);
}
