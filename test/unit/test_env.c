/* Memory that runs out and interrupts, at every point where they can come */
#include "testing.h"

/* An environment that counts, fails on request, and knows what is not freed. */
typedef struct Trouble
{
	long allocations;
	long fail_at; /* 0: never */
	long looks;
	long interrupt_at; /* 0: never */
	long live;
} Trouble;

static void *
trouble_alloc(void *arg, size_t size)
{
	Trouble *trouble = arg;

	if (++trouble->allocations == trouble->fail_at)
		return NULL;
	trouble->live++;
	return malloc(size);
}

static void
trouble_free(void *arg, void *p)
{
	Trouble *trouble = arg;

	trouble->live--;
	free(p);
}

static bool
trouble_interrupted(void *arg)
{
	Trouble *trouble = arg;

	return ++trouble->looks == trouble->interrupt_at;
}

/* Build, and shrink the result if that works out. */
static RibbonStatus
attempt(Trouble *trouble, RibbonKind kind, int width, const uint64_t *keys,
		size_t n)
{
	RibbonEnv env = {.alloc = trouble_alloc,
					 .free = trouble_free,
					 .interrupted = trouble_interrupted,
					 .arg = trouble};
	RibbonParams params = {kind, width, 0.01, 1};
	uint64_t *copy = malloc(n * sizeof(uint64_t));
	uint8_t *bytes, *small;
	size_t nbytes;
	RibbonStatus status;

	memcpy(copy, keys, n * sizeof(uint64_t));
	status = ribbon_build(&env, &params, copy, n, 4, &bytes, &nbytes);
	if (status == RIBBON_OK)
	{
		RibbonFilter filter;

		CHECK(ribbon_open(bytes + 4, nbytes, &filter) == RIBBON_OK, "open");
		status = ribbon_shrink(&env, &filter, 0.1, 4, &small, &nbytes);
		if (status == RIBBON_OK)
			env.free(env.arg, small);
		env.free(env.arg, bytes);
	}
	free(copy);
	CHECK(trouble->live == 0, "%ld allocations not freed", trouble->live);
	return status;
}

int
main(void)
{
	Random random = {1};
	size_t sizes[] = {1, 500, 40000};
	uint64_t *keys = random_keys(&random, 40000);

	test("when any allocation fails, nothing leaks");
	for (int s = 0; s < 3; s++)
		for (int k = 0; k < 2; k++)
			for (int aimed = 0; aimed < 2; aimed++)
			{
				Trouble none = {0};

				for (size_t i = 0; aimed && i < 40000; i++)
					keys[i] /= 100;
				CHECK(attempt(&none, test_kinds[k], 64, keys, sizes[s]) ==
						  RIBBON_OK,
					  "without trouble");
				for (long at = 1; at <= none.allocations; at++)
				{
					Trouble trouble = {.fail_at = at};

					CHECK(attempt(&trouble, test_kinds[k], 64, keys,
								  sizes[s]) == RIBBON_OUT_OF_MEMORY,
						  "allocation %ld", at);
				}
			}

	test("at any interrupt, the work ends and nothing leaks");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			Trouble none = {0};

			CHECK(attempt(&none, test_kinds[k], test_widths[w], keys, 40000) ==
					  RIBBON_OK,
				  "without trouble");
			CHECK(none.looks > 20, "only %ld looks", none.looks);
			for (long at = 1; at <= none.looks; at++)
			{
				Trouble trouble = {.interrupt_at = at};

				CHECK(attempt(&trouble, test_kinds[k], test_widths[w], keys,
							  40000) == RIBBON_INTERRUPTED,
					  "look %ld", at);
			}
		}
	free(keys);
	return test_done();
}
