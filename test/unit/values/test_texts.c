/*
 * test_texts.c - the texts and numbers of a map that is built, and their codes
 */
#include "caller.h"
#include "testing.h"
#include "values/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const RibbonEnv *const env = &ribbon_malloc_env;
static const char head[] = "\001s\001t";

static RibbonStatus
add(RibbonTexts *texts, uint64_t word, const char *text)
{
	return ribbon_texts_add(texts, env, word, text, strlen(text));
}

static void
begin(RibbonTexts *texts, uint64_t secret)
{
	CHECK(ribbon_texts_init(texts, env, (const uint8_t *) head,
							sizeof(head) - 1, secret) == RIBBON_OK,
		  "memory");
}

/* Of n texts, numbers that fall, each has the code of its place. */
static void
check_many(uint32_t n, uint64_t step)
{
	RibbonTexts texts;
	RibbonValues values = {.has_null = true}, again = values;
	char text[16];
	unsigned wrong = 0;

	begin(&texts, n);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < n; i++)
		{
			(void) snprintf(text, sizeof(text), "%08u", n - 1 - i);
			wrong += add(&texts, i * step, text) != RIBBON_OK;
		}
	CHECK(wrong == 0 && texts.nvalues == n, "%u of %u texts", texts.nvalues, n);
	if (n == RIBBON_DICTIONARY_VALUES)
		CHECK(add(&texts, 1, "more") == RIBBON_TOO_MANY_TEXTS &&
				  add(&texts, 0, text) == RIBBON_SAME_WORD,
			  "one more");
	CHECK(ribbon_texts_set_codes(&texts, env, &values) == RIBBON_OK, "memory");
	for (uint32_t i = 0; i < n; i++)
		wrong += values.code(values.code_arg, i * step) != n - 1 - i;
	CHECK(wrong == 0 &&
			  values.bits == ribbon_range_code_bits(n > 0, n - 1, true),
		  "%u wrong codes of %u", wrong, n);
	CHECK(values.code(values.code_arg, RIBBON_NULL_WORD) ==
			  ribbon_low_mask(values.bits),
		  "NULL");
	CHECK(values.code(values.code_arg, n * step + 1) <= n, "no text");
	CHECK(ribbon_texts_set_codes(&texts, env, &again) == RIBBON_OK &&
			  again.ndictionary == values.ndictionary &&
			  memcmp(again.dictionary, values.dictionary, values.ndictionary) ==
				  0,
		  "another dictionary");
	free((void *) again.dictionary);
	free((void *) values.dictionary);
	ribbon_texts_free(&texts, env);
}

/* Long texts that begin alike take long to sort and to write. */
static void
test_interrupts(void)
{
	RibbonEnv watched = ribbon_malloc_env;
	RibbonValues values = {.has_null = true};
	RibbonTexts texts;
	RibbonStatus status = RIBBON_INTERRUPTED;
	long nlooks = 0, left;
	char text[8192];

	test("sorting and writing texts can be interrupted, and begun anew");
	watched.interrupted = is_last_look;
	watched.arg = &left;
	begin(&texts, 1);
	memset(text, 'x', sizeof(text));
	for (uint32_t i = 0; i < 500; i++)
	{
		(void) snprintf(text + 8000, 100, "%08u", 500 - i);
		CHECK(add(&texts, i, text) == RIBBON_OK, "%u", i);
	}
	for (; status == RIBBON_INTERRUPTED && nlooks < 10000; nlooks++)
	{
		left = nlooks + 1;
		status = ribbon_texts_set_codes(&texts, &watched, &values);
	}
	CHECK(status == RIBBON_OK && nlooks > 9 * 500 * 8000 / (256 * 1024),
		  "status %d after %ld looks", status, nlooks);
	CHECK(values.code(values.code_arg, 0) == 499, "the last one");
	free((void *) values.dictionary);
	ribbon_texts_free(&texts, env);
}

static void
test_texts(void)
{
	static const uint32_t counts[] =
		{0, 1, 2, 3, 24, 1000, RIBBON_DICTIONARY_VALUES};
	RibbonTexts texts;

	test("texts get their places among the sorted ones as codes");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
	{
		check_many(counts[i], 2);
		check_many(counts[i], UINT64_C(0x100000000));
	}

	test("a word is that of one text");
	begin(&texts, 1);
	CHECK(add(&texts, 7, "a") == RIBBON_OK &&
			  add(&texts, 7, "a") == RIBBON_OK &&
			  add(&texts, 8, "") == RIBBON_OK &&
			  add(&texts, 8, "") == RIBBON_OK,
		  "its own");
	CHECK(add(&texts, 7, "b") == RIBBON_SAME_WORD &&
			  add(&texts, 7, "") == RIBBON_SAME_WORD &&
			  add(&texts, 8, "a") == RIBBON_SAME_WORD &&
			  add(&texts, RIBBON_NULL_WORD, "c") == RIBBON_SAME_WORD,
		  "another's");
	CHECK(ribbon_texts_add(&texts, env, 9, "", RIBBON_TEXTS_BYTES) ==
			  RIBBON_TEXTS_TOO_LARGE,
		  "too large");
	CHECK(texts.nvalues == 2 && ribbon_texts_find(&texts, 9) == NULL &&
			  ribbon_texts_find(&texts, 7)->size == 1,
		  "as before");
	ribbon_texts_free(&texts, env);
}

static void
test_range(void)
{
	RibbonRange range = {0};
	RibbonValues values = {0};

	test("codes of numbers are distances from the least");
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_OK &&
			  values.bits == 0 && values.code == NULL,
		  "no numbers");
	CHECK(ribbon_range_add(&range, -3) == (uint64_t) -3, "a word");
	(void) ribbon_range_add(&range, 4);
	(void) ribbon_range_add(&range, 0);
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_OK &&
			  values.base == -3 && values.bits == 3 && values.code == NULL,
		  "%u bits", values.bits);
	range.has_null = true;
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_OK &&
			  values.bits == 4 &&
			  values.code(values.code_arg, (uint64_t) -3) == 0 &&
			  values.code(values.code_arg, 4) == 7 &&
			  values.code(values.code_arg, RIBBON_NULL_WORD) == 15,
		  "with NULL");

	test("NULL needs a code and a word of its own");
	(void) ribbon_range_add(&range, INT64_MIN);
	(void) ribbon_range_add(&range, INT64_MAX);
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_RANGE_TOO_WIDE,
		  "all 64 bits");
	CHECK(ribbon_range_is_null(&range, RIBBON_NULL_WORD), "NULL");
	(void) ribbon_range_add(&range, (int64_t) RIBBON_NULL_WORD);
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_NUMBER_LIKE_NULL &&
			  !ribbon_range_is_null(&range, RIBBON_NULL_WORD),
		  "a number like NULL");
	range.has_null = false;
	CHECK(ribbon_range_set_codes(&range, &values) == RIBBON_OK &&
			  values.bits == 64,
		  "no NULL");
	CHECK(!ribbon_range_is_null(&range, 5), "a number");
}

int
main(void)
{
	test_texts();
	test_interrupts();
	test_range();
	return test_done();
}
