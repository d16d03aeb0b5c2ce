/*
 * env.c - an environment that counts, and fails or interrupts on request
 */
#include "fuzz.h"

/* Before each block, its size; as large as the strictest alignment. */
#define PREFIX 64

static void *
counting_alloc(void *arg, size_t size)
{
	FuzzEnv *counts = arg;
	uint8_t *p;

	if (++counts->allocations == counts->fail_at)
		return NULL;
	CHECK(size < (size_t) 1 << 30, "an allocation of %zu bytes", size);
	p = malloc(PREFIX + size);
	memcpy(p, &size, sizeof(size));
	counts->live += size;
	if (counts->live > counts->peak)
		counts->peak = counts->live;
	return p + PREFIX;
}

static void
counting_free(void *arg, void *p)
{
	fuzz_free(arg, p);
}

void
fuzz_free(FuzzEnv *counts, void *p)
{
	size_t size;

	if (p == NULL)
		return;
	memcpy(&size, (uint8_t *) p - PREFIX, sizeof(size));
	counts->live -= size;
	free((uint8_t *) p - PREFIX);
}

static bool
counting_interrupted(void *arg)
{
	FuzzEnv *counts = arg;

	counts->looks++;
	CHECK(counts->max_looks == 0 || counts->looks <= counts->max_looks,
		  "%" PRIu64 " looks for interrupts", counts->looks);
	return counts->looks == counts->interrupt_at;
}

RibbonEnv
fuzz_env(FuzzEnv *counts)
{
	RibbonEnv env = {.alloc = counting_alloc,
					 .free = counting_free,
					 .interrupted = counting_interrupted,
					 .arg = counts};

	return env;
}
