/*
 * guard.c - memory with forbidden pages around it
 *
 * Sanitizers do not see all vector loads, and cost time.  The hardware sees
 * every access to a page that is not there.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "guard.h"

#include <sys/mman.h>

#define PAGE 65536 /* at least the system's */

void
guard_create(Guard *guard, size_t size)
{
	uint8_t *all;

	guard->size = (size + PAGE - 1) / PAGE * PAGE;
	all = mmap(NULL, guard->size + 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(all != MAP_FAILED && mprotect(all, PAGE, PROT_NONE) == 0 &&
			  mprotect(all + PAGE + guard->size, PAGE, PROT_NONE) == 0,
		  "no memory");
	guard->bytes = all + PAGE;
}

uint8_t *
guard_room(const Guard *guard, size_t size, bool at_end)
{
	CHECK(size <= guard->size, "%zu bytes", size);
	return at_end ? guard->bytes + guard->size - size : guard->bytes;
}

uint8_t *
guard_place(const Guard *guard, const void *bytes, size_t size, bool at_end)
{
	uint8_t *room = guard_room(guard, size, at_end);

	if (size > 0)
		memcpy(room, bytes, size);
	return room;
}
