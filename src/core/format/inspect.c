/*
 * inspect.c - what the header of an opened filter or map tells: rate, slots
 */
#include "format/format.h"
#include "format/rate.h"
#include "ribbon_map.h"

/*
 * The share of the keys, and so of the non-members, that a bumped layer keeps.
 */
static double
layer_share(const RibbonFilter *filter, int layer)
{
	return (double) (filter->layer_keys[layer] -
					 filter->layer_keys[layer + 1]) /
		(double) filter->nkeys;
}

/* The FPR of the last layer's narrow (0) or wide (1) zones; 0 without any. */
static double
class_fpr(const RibbonFilter *filter, int wide)
{
	const RibbonSystem *zones = filter->systems + filter->nlayers;

	if (filter->nzones[wide] == 0)
		return 0;
	return ribbon_system_fpr(&zones[wide ? filter->nzones[0] : 0]);
}

double
ribbon_fpr(const RibbonFilter *filter)
{
	double split = (double) filter->split / RIBBON_SHARES;
	double fpr;

	if (filter->nkeys == 0)
		return 0;
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		double dependent = ribbon_format_decode_dependence(filter->dependence);

		return ribbon_rate_of(dependent,
							  ribbon_system_fpr(&filter->systems[0]));
	}

	fpr = (double) filter->layer_keys[filter->nlayers] /
		(double) filter->nkeys *
		((1 - split) * class_fpr(filter, 0) + split * class_fpr(filter, 1));
	for (int i = 0; i < filter->nlayers; i++)
		fpr += layer_share(filter, i) * ribbon_system_fpr(&filter->systems[i]);
	return fpr;
}

uint64_t
ribbon_nslots(const RibbonFilter *filter)
{
	uint64_t nslots = 0;

	if (filter->nkeys == 0)
		return 0;
	for (unsigned i = 0; i < ribbon_filter_nsystems(filter); i++)
		nslots += filter->systems[i].nslots;
	return nslots;
}

double
ribbon_map_fpr(const RibbonMap *map)
{
	return map->checked || map->nkeys == 0 ? ribbon_fpr(map->planes[0]) : 1;
}

uint64_t
ribbon_map_nslots(const RibbonMap *map)
{
	uint64_t nslots = 0;

	for (unsigned i = 0; i < map->nplanes; i++)
		nslots += ribbon_nslots(map->planes[i]);
	return nslots;
}
