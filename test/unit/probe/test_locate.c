/*
 * test_locate.c - zones.h: the zone of a hash is in proportion to its share,
 * for every share of the keys that is wide, every number of zones, and every
 * share that a hash can be in
 */
#include "format/place.h"
#include "maps.h"
#include "probe/locate.h"

static RibbonOpened opened;

/* Such a plane: its layers are as small as can be, its zones have no slots. */
static void
prepare(int nlayers, unsigned split, unsigned narrow, unsigned wide)
{
	static const uint8_t bytes[256];
	RibbonPlane *plane = &opened.plane;

	ribbon_plane_init_empty(plane);
	plane->nkeys = 1;
	ribbon_plane_set_check(plane, (RibbonResultBits){1, split});
	plane->nlayers = nlayers;
	for (int i = 0; i < nlayers; i++)
		plane->systems[i].nslots = 64;
	plane->nzones[0] = narrow;
	plane->nzones[1] = split > 0 ? wide : 0;
	ribbon_place_systems(plane);
	CHECK(plane->total_bytes <= sizeof(bytes), "size");
	ribbon_place_bytes(plane, bytes);
	ribbon_prepare(&opened, false);
}

/* In how many shares the zone is another one. */
static unsigned
count_wrong(void)
{
	unsigned wrong = 0;

	for (uint64_t share = 0; share < RIBBON_SHARES; share++)
	{
		uint64_t hash = share << 53;

		wrong += ribbon_zones_locate(&opened.plane, &opened.zones, hash) !=
			map_zone(&opened.plane, hash);
	}
	return wrong;
}

int
main(void)
{
	unsigned wrong = 0;

	test("zones");
	for (unsigned split = 0; split < RIBBON_SHARES; split++)
		for (unsigned n = 1; n <= RIBBON_MAX_ZONES; n++)
		{
			prepare(split % (RIBBON_MAX_LAYERS + 1), split, n,
					RIBBON_MAX_ZONES + 1 - n);
			wrong += count_wrong();
		}
	CHECK(wrong == 0, "%u zones", wrong);
	return test_done();
}
