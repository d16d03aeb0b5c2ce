/*
 * plane.c - planes before their headers are known
 */
#include "format/plane.h"

#include <string.h>

void
ribbon_plane_init_empty(RibbonPlane *plane, int key_class)
{
	memset(plane, 0, sizeof(*plane));
	plane->kind = RIBBON_BURR;
	plane->width = 64;
	plane->key_class = key_class;
	plane->check.bits = 1;
}

void
ribbon_plane_init_next(RibbonPlane *plane, int key_class, uint64_t nkeys,
					   unsigned value_bits)
{
	ribbon_plane_init_empty(plane, key_class);
	plane->nkeys = nkeys;
	plane->check.bits = 0;
	plane->value_bits = value_bits;
}
