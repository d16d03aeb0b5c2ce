/*
 * test_prepare.c - how a plane is probed, which is chosen when it is opened
 *
 * From how many keys on a batch is faster, which of a kernel's functions are
 * used, and from which start on a probe must not read whole blocks: for planes
 * of each shape, and sizes around those at which the choice changes.  Answers
 * are the same whatever is chosen, as long as nothing is read behind the
 * plane's end; how long they take is not.
 */
#include "kernels.h"
#include "built.h"

#include "construct/digest.h"
#include "format/icml.h"
#include "format/zones.h"
#include "probe/batch.h"
#include "probe/column.h"
#include "probe/probes.h"

#define MOST_BYTES ((size_t) 12 << 20) /* of a plane */

static RibbonDigest digest;
static uint8_t *memory; /* so many bytes, which are 0 */

static void
add(uint64_t number)
{
	ribbon_digest_add(&digest, number);
}

/* Which of the functions for the shapes it is. */
static void
add_function(RibbonFind *const *functions, RibbonFind *find)
{
	unsigned shape = 0;

	while (shape < RIBBON_NSHAPES && functions[shape] != find)
		shape++;
	add(shape);
}

/*
 * A start below whole reads the group of columns of two blocks: are these of
 * the plane?  The next start is not one of those, or not of whole blocks.
 */
static void
check_whole(const RibbonPlane *plane, const RibbonSystem *system)
{
	uint64_t left = (uint64_t) (plane->bytes + plane->total_bytes -
								system->slots);
	uint64_t whole = system->whole;
	uint64_t end;

	if (whole == 0)
		return;
	if (ribbon_plane_is_column(plane))
		end = (whole - 1) / 8 + RIBBON_COLUMN_BYTES;
	else
		end = ribbon_icml_block_bit(system, (whole - 1) / system->width + 1) /
				8 +
			(uint64_t) system->groups * system->width;
	CHECK(end <= left && whole <= system->nslots,
		  "w %u, %u columns, %" PRIu64 " slots: whole below %" PRIu64,
		  system->width, system->ncolumns, system->nslots, whole);
}

/* All that is chosen for a plane, and for its layers in batches. */
static void
add_plane(RibbonPlane *plane, bool gives_values)
{
	static RibbonOpened opened;
	static RibbonStage stage;
	const RibbonProbes *probes;

	ribbon_place_systems(plane);
	if (plane->total_bytes > MOST_BYTES)
		return;
	memset(&opened, 0, sizeof(opened));
	memcpy(&opened.plane, plane, ribbon_plane_size(plane));
	ribbon_place_bytes(&opened.plane, memory);
	ribbon_prepare(&opened, gives_values);
	plane = &opened.plane;

	add(opened.batch == NULL ? UINT64_MAX : opened.least_batch);
	add((uint64_t) opened.ahead << 2 | (uint64_t) opened.in_steps << 1 |
		opened.far);
	add((uint64_t) (opened.batch != NULL) << 1 | (opened.batch_last != NULL));
	add(opened.bucket_mask);
	probes = ribbon_probes(plane->width);
	add_function(ribbon_probes_of_plane(probes, plane, gives_values)->first,
				 opened.find_first);
	probes = ribbon_probes(ribbon_zones_width(plane->width));
	add_function(ribbon_probes_of_plane(probes, plane, gives_values)->last,
				 opened.find_last);
	for (unsigned i = 0; i < ribbon_plane_nsystems(plane); i++)
	{
		add(plane->systems[i].whole);
		check_whole(plane, &plane->systems[i]);
	}
	for (unsigned layer = 0;
		 layer <= plane->nlayers && plane->kind == RIBBON_BURR; layer++)
		for (unsigned n = RIBBON_LANES; n <= RIBBON_BATCH; n = n * 11 + 1)
		{
			add(ribbon_stage_set(&stage, &opened, layer, n, false));
			add((uint64_t) stage.lists_ends << 8 | stage.nsystems);
		}
}

/* Columns that fill one group, two, and more; even, and not. */
static const struct
{
	RibbonResultBits check;
	unsigned value_bits;
} columns[] = {
	{{1, 0}, 0},  {{0, 900}, 0},  {{7, 0}, 0},	{{7, 300}, 0},	 {{8, 0}, 0},
	{{8, 1}, 0},  {{9, 0}, 0},	  {{16, 0}, 0}, {{15, 9}, 0},	 {{16, 5}, 0},
	{{17, 0}, 0}, {{32, 0}, 0},	  {{0, 0}, 1},	{{0, 0}, 2},	 {{0, 0}, 8},
	{{0, 0}, 9},  {{0, 0}, 16},	  {{0, 0}, 17}, {{0, 0}, 50},	 {{1, 0}, 7},
	{{1, 0}, 8},  {{4, 1000}, 3}, {{4, 77}, 4}, {{6, 1000}, 20}, {{3, 0}, 13},
};

#define NCOLUMNS (sizeof(columns) / sizeof(columns[0]))

/* A plane of layers of ever fewer slots, and zones. */
static void
add_burr(size_t c, int width, uint64_t nslots, unsigned nlayers,
		 unsigned nzones)
{
	RibbonPlane plane;

	ribbon_plane_init_empty(&plane);
	ribbon_plane_set_check(&plane, columns[c].check);
	plane.value_bits = columns[c].value_bits;
	plane.width = width;
	plane.nkeys = nslots;
	plane.scheme = nslots % 2 == 0;
	plane.salted = nslots % 3 == 0;
	plane.nlayers = nlayers;
	plane.nzones[0] = nzones;
	plane.nzones[1] = plane.split > 0 ? 1 + nzones / 3 : 0;
	for (unsigned i = 0; i < nlayers; i++)
	{
		plane.systems[i].nslots = nslots;
		nslots = nslots / 11 + 1;
	}
	for (unsigned z = 0; z < ribbon_plane_nzones(&plane); z++)
	{
		plane.systems[nlayers + z].seed = 0;
		plane.systems[nlayers + z].nslots = nslots / nzones + z;
	}
	add_plane(&plane, plane.value_bits > 0);
}

static void
add_homogeneous(size_t c, int width, uint64_t nslots)
{
	RibbonPlane plane;

	ribbon_plane_init_empty(&plane);
	ribbon_plane_set_check(&plane, columns[c].check);
	plane.kind = RIBBON_HOMOGENEOUS;
	plane.width = width;
	plane.nkeys = nslots;
	plane.nzones[0] = 1;
	plane.systems[0].nslots = nslots;
	add_plane(&plane, false);
}

/* Slots: few, all around whole blocks; then such that planes have these. */
static void
add_planes(size_t c, int width)
{
	static const uint64_t bytes[] = {UINT64_C(1) << 19, UINT64_C(1) << 20,
									 UINT64_C(3) << 19, UINT64_C(2) << 20,
									 UINT64_C(8) << 20};
	bool is_filter = columns[c].value_bits == 0;
	unsigned w = (unsigned) width;

	for (uint64_t nslots = w; nslots < 700; nslots += 1 + nslots / 8)
		for (unsigned nlayers = 0; nlayers < 3; nlayers++)
			add_burr(c, width, nslots, nlayers, 1 + (unsigned) nslots % 4);
	for (uint64_t nslots = w; nslots < 8 * w && is_filter; nslots += 7)
		add_homogeneous(c, width, nslots);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		for (int step = -3; step <= 3; step++)
		{
			RibbonResultBits all = {columns[c].check.bits +
										columns[c].value_bits,
									columns[c].check.wide};
			uint64_t nslots = (uint64_t) ((double) (8 * bytes[i]) /
										  ribbon_result_bits_mean(all) *
										  (1 + step / 40.0));

			add_burr(c, width, nslots, 1, 3);
			add_burr(c, width, nslots, 2, 9);
			if (is_filter)
				add_homogeneous(c, width, nslots);
		}
}

int
main(void)
{
	/* by kernel; 0: not known */
	static const uint64_t expected[RIBBON_NKERNELS] = {
		UINT64_C(0x4AE56A689A7CFB3F),
		UINT64_C(0xFA0ECBA5CABC4411),
		UINT64_C(0xA2E83A14146ED9CC),
		UINT64_C(0xCB818C3B786F4FAC),
	};

	memory = calloc(1, MOST_BYTES + RIBBON_ENDS_BEHIND);
	FOR_EACH_KERNEL(k)
	{
		char name[80];
		uint64_t found;

		snprintf(name, sizeof(name), "how planes are probed: %s",
				 ribbon_kernel_name(k));
		test(name);
		ribbon_kernel_use(k);
		ribbon_digest_init(&digest);
		for (size_t c = 0; c < NCOLUMNS; c++)
			for (int width = 32; width <= 128; width *= 2)
				add_planes(c, width);
		found = ribbon_digest_end(&digest);
		CHECK(expected[k] == 0 || found == expected[k], "0x%016" PRIX64, found);
	}
	free(memory);
	return test_done();
}
