/* Keys that were chosen to collide: right answers, bounded size, no failure */
#include "testing.h"

#define N 60000

/* Undo x ^= x >> 33. */
static uint64_t
unshift(uint64_t x)
{
	return x ^ x >> 33;
}

/* The z whose mix this is. */
static uint64_t
unmix(uint64_t z)
{
	z = unshift(z);
	z *= UINT64_C(0x9CB4B2F8129337DB);
	z = unshift(z);
	z *= UINT64_C(0x4F74430C22A54005);
	return unshift(z);
}

/* The i-th hash of a hostile family. */
static uint64_t
hostile(int family, uint64_t i)
{
	uint64_t any = ribbon_mix(i + 1);

	switch (family)
	{
		case 0: /* one starting position */
			return UINT64_C(0x123456) << 40 | (any >> 24);
		case 1: /* a tenth of the starting positions */
			return any / 10;
		case 2: /* equal low halves */
			return any << 32 | 0xDEADBEEF;
		case 3: /* arithmetic sequence from 0 */
			return i;
		case 4: /* arithmetic sequence of wide steps */
			return i * (UINT64_MAX / N);
		case 5: /* one place in the second layer */
			return unmix(any / 50) - RIBBON_LAYER_STEP;
		case 6: /* every other bucket twice as full */
			return any & ~(UINT64_C(1) << 55);
		case 9: /* seventy at one start of the last layer, for each seed */
			return unmix(i / 16 % 70 + 1) - (i % 16 + 1) * RIBBON_SEED_STEP +
				(i < 1120 ? 0 : any);
		case 7: /* one zone of the last layer, if it is that */
			return unmix(unmix(any >> 20) - RIBBON_LAYER_STEP) -
				RIBBON_LAYER_STEP;
		default: /* a hundred places */
			return (any % 100) * (UINT64_MAX / 100) + (any >> 32) % 5000;
	}
}

int
main(void)
{
	Random random = {1};
	uint64_t *keys = malloc(N * sizeof(uint64_t));
	uint64_t *fair = random_keys(&random, N);
	static const size_t sizes[] = {50, 1000, 5000, N};
	char name[100];

	for (int family = 0; family < 10; family++)
	{
		snprintf(name, sizeof(name), "hostile keys, family %d", family);
		test(name);
		for (size_t i = 0; i < N; i++)
			keys[i] = hostile(family, i);
		for (int s = 0; s < 4; s++)
			for (int k = 0; k < 2; k++)
				for (int w = 0; w < 3; w++)
				{
					size_t n = sizes[s];
					Built built = build(test_kinds[k], test_widths[w], 0.01,
										keys, n);
					Built usual = build(test_kinds[k], test_widths[w], 0.01,
										fair, n);
					double fpr = ribbon_fpr(&built.filter);

					CHECK(built.status == RIBBON_OK, "%s",
						  ribbon_status_text(built.status));
					CHECK(count_missing(&built, keys, n) == 0, "%s w %d n %zu",
						  kind_name(test_kinds[k]), test_widths[w], n);
					CHECK(is_plausible(count_strangers(&built, &random, 50000),
									   fpr * 50000),
						  "FPR: %s w %d n %zu", kind_name(test_kinds[k]),
						  test_widths[w], n);
					CHECK(fabs(fpr / 0.01 - 1) < 0.005, "expected FPR %g", fpr);
					CHECK((double) built.nbytes <=
							  1.05 * (double) usual.nbytes + 12,
						  "%s w %d n %zu: %zu bytes instead of %zu",
						  kind_name(test_kinds[k]), test_widths[w], n,
						  built.nbytes, usual.nbytes);
					free(usual.bytes);
					free(built.bytes);
				}
	}

	test("all hashes equal: one key");
	for (size_t i = 0; i < N; i++)
		keys[i] = 42;
	for (int k = 0; k < 2; k++)
	{
		Built built = build(test_kinds[k], 64, 0.01, keys, N);

		CHECK(built.status == RIBBON_OK && built.filter.nkeys == 1, "keys");
		CHECK(count_missing(&built, keys, 1) == 0, "member");
		free(built.bytes);
	}
	free(fair);
	free(keys);
	return test_done();
}
