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
