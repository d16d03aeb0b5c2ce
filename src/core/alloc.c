/*
 * alloc.c - the environment of programs that have malloc, and large blocks
 */
#include "alloc.h"

#include <stdlib.h>

static void *
env_malloc(void *arg, size_t size)
{
	(void) arg;
	return malloc(size);
}

static void
env_free(void *arg, void *p)
{
	(void) arg;
	free(p);
}

const RibbonEnv ribbon_malloc_env = {env_malloc, env_free, NULL, NULL};

static size_t
chunk(size_t size)
{
	return size < RIBBON_INTERRUPT_BYTES ? size : RIBBON_INTERRUPT_BYTES;
}

RibbonStatus
ribbon_zero(const RibbonEnv *env, void *p, size_t size)
{
	for (size_t done = 0; done < size;)
	{
		size_t step = chunk(size - done);

		memset((uint8_t *) p + done, 0, step);
		done += step;
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_copy(const RibbonEnv *env, void *to, const void *from, size_t size)
{
	for (size_t done = 0; done < size;)
	{
		size_t step = chunk(size - done);

		memcpy((uint8_t *) to + done, (const uint8_t *) from + done, step);
		done += step;
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}
