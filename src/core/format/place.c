/*
 * place.c - where the ribbon systems of a filter lie among its bytes
 */
#include "format/place.h"

#include "format/buckets.h"
#include "format/icml.h"
#include "format/zones.h"

/*
 * Check bits of the last layer's narrow [0] and wide [1] zones: format.md 5.
 */
static void
zone_columns(const RibbonFilter *filter, RibbonResultBits classes[2])
{
	unsigned a = filter->result_bits, wide = filter->wide,
			 split = filter->split;

	classes[0].bits = a;
	classes[0].wide = wide <= split ?
		0 :
		RIBBON_SHARES * (wide - split) / (RIBBON_SHARES - split);
	classes[1].bits = wide >= split ? a + 1 : a;
	classes[1].wide = wide >= split ? 0 : RIBBON_SHARES * wide / split;
}

/* The geometry of all systems, from their slots and seeds. */
static void
init_systems(RibbonFilter *filter)
{
	RibbonResultBits result_bits = {filter->result_bits, filter->wide};
	RibbonResultBits classes[2];
	RibbonSystem *system = filter->systems;

	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		ribbon_system_init(system, system->nslots, (unsigned) filter->width,
						   false, result_bits);
		return;
	}

	if (filter->nlayers > 0)
		filter->buckets = ribbon_buckets_of_scheme(filter->width,
												   filter->scheme);
	for (int i = 0; i < filter->nlayers; i++, system++)
		ribbon_system_init(system, system->nslots, (unsigned) filter->width,
						   true, result_bits);
	zone_columns(filter, classes);
	for (int wide = 0; wide < 2; wide++)
		for (unsigned z = 0; z < filter->nzones[wide]; z++, system++)
			ribbon_system_init_zone(system, system->nslots,
									ribbon_zones_width(filter->width),
									system->seed, classes[wide]);
	if (filter->value_bits > 0)
		for (system = filter->systems;
			 system < filter->systems + ribbon_filter_nsystems(filter);
			 system++)
			ribbon_system_insert_value(system, filter->result_bits,
									   filter->value_bits);
}

/*
 * Go through all that lies behind the header and set total_bytes; if bytes is
 * not NULL, also the pointers to thresholds and slots.
 */
static void
place(RibbonFilter *filter, const uint8_t *bytes)
{
	uint64_t at = filter->header_bytes;

	filter->bytes = bytes;
	for (int i = 0; i < filter->nlayers; i++)
	{
		if (bytes != NULL)
			filter->systems[i].thresholds = bytes + at;
		at += ribbon_buckets_threshold_bytes(&filter->systems[i],
											 &filter->buckets);
	}
	for (unsigned i = 0; i < ribbon_filter_nsystems(filter); i++)
	{
		if (bytes != NULL)
			filter->systems[i].slots = bytes + at;
		at += ribbon_icml_bytes(&filter->systems[i]);
	}
	filter->total_bytes = at;
}

void
ribbon_place_systems(RibbonFilter *filter)
{
	init_systems(filter);
	place(filter, NULL);
}

/*
 * What ribbon_system_init has found for whole leaves room for groups of columns
 * behind the second block within the system.  There may be room for them in
 * what follows; then all pairs of full blocks will do.
 */
static void
extend_whole(RibbonFilter *filter)
{
	const uint8_t *end = filter->bytes + filter->total_bytes;

	for (unsigned i = 0; i < ribbon_filter_nsystems(filter); i++)
	{
		RibbonSystem *system = &filter->systems[i];
		uint64_t nfull = system->nslots / system->width;
		uint64_t last;

		if (system->result_bits == 0 || nfull < 2)
			continue;
		last = ribbon_icml_block_bit(system, nfull - 1) / 8;
		if (last + (uint64_t) system->groups * system->width <=
			(uint64_t) (end - system->slots))
			system->whole = (nfull - 1) * system->width;
	}
}

void
ribbon_place_bytes(RibbonFilter *filter, const uint8_t *bytes)
{
	place(filter, bytes);
	extend_whole(filter);
}
