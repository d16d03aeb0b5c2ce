/*
 * ribbon_inside.h - the private part of an opened filter
 *
 * Nothing of this is for callers of the core.  It is a header of its own since
 * a RibbonFilter is a struct that callers copy, and ribbon_contains is inline.
 */
#ifndef RIBBON_INSIDE_H
#define RIBBON_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#define RIBBON_OPENED_WORDS 4480

struct RibbonOpened; /* a plane, and how to probe it: probe/opened.h */

typedef struct RibbonInside
{
	/* for ribbon_contains, which ignores *code, and for ribbon_get */
	bool (*contains)(const struct RibbonOpened *opened, uint64_t hash,
					 uint64_t *code);
	bool (*get)(const struct RibbonOpened *opened, uint64_t hash,
				uint64_t *code);

	/*
	 * For batches, or NULL: complete the answers of some hashes that have been
	 * looked up in the first plane, by what is behind it.  codes[i] is what
	 * that has stored, if it stores something, and becomes the code of a map;
	 * for an exact set it is scratch space.
	 */
	void (*finish)(const struct RibbonOpened *first, const uint64_t *hashes,
				   unsigned n, bool *answers, uint64_t *codes);

	uint32_t head_bytes;				  /* bytes in front of a dictionary */
	uint64_t opened[RIBBON_OPENED_WORDS]; /* the planes: RibbonOpened */
} RibbonInside;

#endif /* RIBBON_INSIDE_H */
