/*
 * asan_first.c - preloaded after libasan: set it up before anything else runs
 *
 * AddressSanitizer sets itself up when memory is first allocated.  In a server
 * that is in the constructor of some library, which may be in the middle of
 * bindtextdomain() and hold the lock of the C library's translations; setting
 * up fails to find an optional symbol, which makes an error message, which is
 * translated and takes that lock again.  The lock is in disorder from then on,
 * and the server waits for it for ever.  A library marked as "initfirst" (see
 * ld(1)) has its constructor called before all others.
 */
#include <stdlib.h>

static void *volatile block;

__attribute__((constructor)) static void
allocate(void)
{
	block = malloc(1);
	free(block);
}
