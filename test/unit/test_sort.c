/* sort.c: words in order, whatever they look like */
#include "sort.h"
#include "testing.h"

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static void
check_sorts(uint64_t *words, size_t n, const char *what)
{
	uint64_t *expected = malloc((n + 1) * sizeof(uint64_t));

	memcpy(expected, words, n * sizeof(uint64_t));
	qsort(expected, n, sizeof(uint64_t), compare);
	CHECK(ribbon_sort(&ribbon_malloc_env, words, n) == RIBBON_OK, "%s", what);
	CHECK(memcmp(words, expected, n * sizeof(uint64_t)) == 0, "%s, n %zu", what,
		  n);
	free(expected);
}

int
main(void)
{
	Random random = {1};
	uint64_t few[] = {3, 1, 1, 2, 3, 3};
	size_t n = 6;

	test("random words of many lengths come out in order");
	for (size_t n = 0; n < 300000; n = n * 5 / 3 + 1)
	{
		uint64_t *words = random_keys(&random, n);

		check_sorts(words, n, "random");
		free(words);
	}

	test("words that share their high or low bits come out in order");
	for (int shift = 0; shift < 64; shift += 7)
	{
		uint64_t *words = random_keys(&random, 5000);

		for (size_t i = 0; i < 5000; i++)
			words[i] = words[i] >> shift << (shift / 2);
		check_sorts(words, 5000, "shared bits");
		free(words);
	}

	test("equal words are dropped");
	check_sorts(few, 6, "few");
	CHECK(ribbon_sort_unique(&ribbon_malloc_env, few, &n) == RIBBON_OK &&
			  n == 3,
		  "count");
	CHECK(few[0] == 1 && few[1] == 2 && few[2] == 3, "values");
	n = 0;
	CHECK(ribbon_sort_unique(&ribbon_malloc_env, few, &n) == RIBBON_OK &&
			  n == 0,
		  "none");
	return test_done();
}
