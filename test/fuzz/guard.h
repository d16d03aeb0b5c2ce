/*
 * guard.h - memory with forbidden pages around it
 */
#ifndef RIBBON_FUZZ_GUARD_H
#define RIBBON_FUZZ_GUARD_H

#include "fuzz.h"

typedef struct Guard
{
	uint8_t *bytes; /* NULL until it is created */
	size_t size;
} Guard;

/* It stays until the program ends. */
extern void guard_create(Guard *guard, size_t size);

/* The last size bytes of it, right before a forbidden page, or the first. */
extern uint8_t *guard_room(const Guard *guard, size_t size, bool at_end);

/* A copy of these bytes there. */
extern uint8_t *guard_place(const Guard *guard, const void *bytes, size_t size,
							bool at_end);

#endif /* RIBBON_FUZZ_GUARD_H */
