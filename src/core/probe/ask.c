/*
 * ask.c - what has one plane of a map stored for a number of keys?
 */
#include "probe/ask.h"

#include "probe/layers.h"
#include "probe/locate.h"

void
ribbon_ask_get(const RibbonPlane *plane, bool singly, const uint64_t *hashes,
			   unsigned n, bool *found, uint64_t *codes)
{
	uint64_t salted[RIBBON_BATCH];

	if (singly || n < RIBBON_AHEAD)
	{
		for (unsigned i = 0; i < n; i++)
			found[i] = plane->get(plane, hashes[i], &codes[i]);
		return;
	}
	if (plane->salted)
	{
		for (unsigned i = 0; i < n; i++)
			salted[i] = ribbon_locate_salted(plane, hashes[i]);
		hashes = salted;
	}
	ribbon_layers_answer(plane, plane->batch, hashes, n, found, codes);
}
