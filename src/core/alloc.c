/*
 * alloc.c - the environment of programs that have malloc
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
