/*
 * memory.c - what the core needs of a C library, in WebAssembly
 *
 * Memory begins with the stack and static data; behind them are blocks, each
 * with a header in front, one after the other up to the end of memory:
 *
 *----------
 *	 header | block | header | block (free) | header | block | end
 *----------
 *
 * A program has few blocks at a time: opened filters, or what a build works
 * with.  So malloc takes the first free one that is large enough, joins free
 * neighbours on its way there, and lets memory grow when there is none.
 */
#include "exports.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16u
#define PAGE	  65536u
#define USED	  1u /* in a header's size, which is a multiple of ALIGNMENT */

typedef struct Header
{
	uint32_t size; /* of header and block, and USED */
	uint32_t unused[3];
} Header;

_Static_assert(sizeof(Header) == ALIGNMENT, "a block would not be aligned");

extern uint8_t __heap_base; /* of the linker */

static uintptr_t heap; /* the first header; 0 until the first call */
static uintptr_t heap_end;

static Header *
next_of(const Header *header)
{
	return (Header *) ((uintptr_t) header + (header->size & ~USED));
}

/*
 * Let memory end at least size bytes behind its end.  False if it cannot; it
 * never has the last of 4 GiB's pages, behind which there is no address.
 */
static int
grow(uint64_t size)
{
	uint64_t pages = (size + PAGE - 1) / PAGE;

	if (pages > UINT16_MAX - heap_end / PAGE ||
		__builtin_wasm_memory_grow(0, pages) == SIZE_MAX)
		return 0;
	heap_end += pages * PAGE;
	return 1;
}

/* Join the free blocks from here on. */
static void
join(Header *header)
{
	while ((uintptr_t) next_of(header) < heap_end &&
		   (next_of(header)->size & USED) == 0)
		header->size += next_of(header)->size;
}

static void
take(Header *header, uint32_t size)
{
	uint32_t rest = header->size - size;

	if (rest > 0)
	{
		header->size = size;
		next_of(header)->size = rest;
	}
	header->size |= USED;
}

static void
begin(void)
{
	heap = ((uintptr_t) &__heap_base + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	heap_end = __builtin_wasm_memory_size(0) * PAGE;
	if (heap_end - heap < ALIGNMENT)
		grow(PAGE);
	((Header *) heap)->size = (uint32_t) (heap_end - heap);
}

void *
malloc(size_t wanted)
{
	uint64_t size = ((uint64_t) wanted + 2 * ALIGNMENT - 1) & ~(uint64_t) 15;
	Header *header, *last = NULL;
	uint32_t left;
	uintptr_t end;

	if (heap == 0)
		begin();
	for (header = (Header *) heap; (uintptr_t) header < heap_end;
		 header = next_of(header))
	{
		last = header;
		if (header->size & USED)
			continue;
		join(header);
		if (header->size >= size)
		{
			take(header, (uint32_t) size);
			return header + 1;
		}
	}
	/* the last one becomes larger, if it is free; else there is one more */
	left = (last->size & USED) == 0 ? last->size : 0;
	end = heap_end;
	if (!grow(size - left))
		return NULL;
	if (left == 0)
		last = (Header *) end;
	last->size = left + (uint32_t) (heap_end - end);
	take(last, (uint32_t) size);
	return last + 1;
}

void
free(void *block)
{
	if (block != NULL)
		((Header *) block - 1)->size &= ~USED;
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
