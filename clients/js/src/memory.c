/*
 * memory.c - what the core needs of a C library, in WebAssembly
 *
 * Memory begins with the stack and static data; behind them are blocks, each
 * with a header in front, one after the other up to a header without one:
 *
 *----------
 *	 header | block | header | block (free) | header | block | header
 *----------
 *
 * The free ones, of which no two are neighbours, are in a ring.  malloc takes
 * the first that is large enough, and lets memory grow when there is none.
 */
#include "exports.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16u
#define PAGE	  65536u
#define USED	  1u  /* in a header's size, which is a multiple of ALIGNMENT */
#define LEAST	  64u /* of what malloc leaves of a free block */

typedef struct Header
{
	uint32_t size;				/* of header and block, and USED */
	uint32_t front;				/* size of what is in front; 0 if nothing is */
	struct Header *next, *last; /* of a free one, in the ring */
} Header;

_Static_assert(sizeof(Header) == ALIGNMENT, "a block would not be aligned");

extern uint8_t __heap_base; /* of the linker */

static Header ring = {.next = &ring, .last = &ring};
static Header *end; /* the header at the end; NULL until the first call */

static Header *
behind(const Header *header)
{
	return (Header *) ((uintptr_t) header + (header->size & ~USED));
}

static Header *
before(const Header *header)
{
	return (Header *) ((uintptr_t) header - header->front);
}

static void
set_size(Header *header, uint32_t size)
{
	header->size = size;
	behind(header)->front = size & ~USED;
}

/* Take a block out of the ring; its size. */
static uint32_t
take(Header *header)
{
	header->last->next = header->next;
	header->next->last = header->last;
	return header->size;
}

/* Add one to it, as one with its neighbours that are free. */
static void
give(Header *header)
{
	uint32_t size = header->size & ~USED;

	if ((behind(header)->size & USED) == 0)
		size += take(behind(header));
	if ((before(header)->size & USED) == 0)
	{
		header = before(header);
		size += take(header);
	}
	set_size(header, size);
	header->next = ring.next;
	header->last = &ring;
	header->next->last = ring.next = header;
}

/* Let there be so many bytes more in front of the end, which are free. */
static void
move_end(uint32_t size)
{
	Header *header = end;

	header->size = size | USED;
	end = behind(header);
	end->size = ALIGNMENT | USED;
	set_size(header, size | USED);
	give(header);
}

/*
 * Let there be a free block of this size, the first in the ring.  False if
 * memory cannot grow; it never has the last of 4 GiB's pages, behind which
 * there is no address.
 */
static bool
grow(uint64_t size)
{
	uint32_t there = before(end)->size;
	uint64_t pages = (size - (there & USED ? 0 : there) + PAGE - 1) / PAGE;

	if (pages > UINT16_MAX - __builtin_wasm_memory_size(0) ||
		__builtin_wasm_memory_grow(0, pages) == SIZE_MAX)
		return false;
	move_end((uint32_t) pages * PAGE);
	return true;
}

static void
begin(void)
{
	uintptr_t heap = (uintptr_t) &__heap_base + ALIGNMENT - 1;

	heap &= ~(uintptr_t) (ALIGNMENT - 1);
	/* behind static data may be less than two headers */
	__builtin_wasm_memory_grow(0, 1);
	end = (Header *) heap;
	move_end(__builtin_wasm_memory_size(0) * PAGE - heap - ALIGNMENT);
}

void *
malloc(size_t wanted)
{
	uint64_t size = ((uint64_t) wanted + 2 * ALIGNMENT - 1) & ~(uint64_t) 15;
	Header *header;
	uint32_t all;

	if (end == NULL)
		begin();
	header = ring.next;
	while (header != &ring && header->size < size)
		header = header->next;
	if (header == &ring)
	{
		if (!grow(size))
			return NULL;
		header = ring.next;
	}
	all = take(header);
	if (all - size < LEAST)
		set_size(header, all | USED);
	else
	{
		set_size(header, (uint32_t) size | USED);
		set_size(behind(header), (all - (uint32_t) size) | USED);
		give(behind(header));
	}
	return header + 1;
}

void
free(void *block)
{
	if (block != NULL)
		give((Header *) block - 1);
}

/* For JavaScript: memory of size bytes, or 0. */
EXPORT("alloc") void *alloc(size_t size)
{
	return malloc(size);
}

EXPORT("free") void release(void *block)
{
	free(block);
}

/* One instruction each, which the compiler would otherwise call these for. */

void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
	return __builtin_memcpy(to, from, n);
}

void *
memmove(void *to, const void *from, size_t n)
{
	return __builtin_memmove(to, from, n);
}

void *
memset(void *to, int byte, size_t n)
{
	return __builtin_memset(to, byte, n);
}

int
memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

int
strcmp(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
	{
		a++;
		b++;
	}
	return (uint8_t) *a - (uint8_t) *b;
}
