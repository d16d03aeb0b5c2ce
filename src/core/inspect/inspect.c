/*
 * inspect.c - false-positive rate and statistics, from the header alone
 */
#include "inspect/inspect.h"

#include "format/result_bits.h"
#include "probe/opened.h"

/* The expected share of random hashes whose result bits all match by chance. */
static double
system_fpr(const RibbonSystem *system)
{
	RibbonResultBits result_bits = {system->ncolumns - system->value_bits,
									system->wide};

	return ribbon_result_bits_fpr(result_bits);
}

/* The FPR of the last layer's narrow (0) or wide (1) zones; 0 without any. */
static double
zones_fpr(const RibbonPlane *plane, int wide)
{
	const RibbonSystem *zones = ribbon_plane_zones(plane);

	if (plane->nzones[wide] == 0)
		return 0;
	return system_fpr(&zones[wide ? plane->nzones[0] : 0]);
}

double
ribbon_inspect_plane_fpr(const RibbonPlane *plane)
{
	double split = (double) plane->split / RIBBON_SHARES;
	double nkeys = (double) plane->nkeys;
	const uint64_t *reach = plane->layer_keys;
	double fpr;

	if (plane->nkeys == 0)
		return 0;
	if (!ribbon_has_check(plane->check))
		return 1;
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		double dependent = ribbon_dependence_decode(plane->dependence);

		return ribbon_dependence_rate(dependent,
									  system_fpr(&plane->systems[0]));
	}

	/* a layer has the same share of the non-members as of the keys */
	fpr = (double) reach[plane->nlayers] / nkeys *
		((1 - split) * zones_fpr(plane, 0) + split * zones_fpr(plane, 1));
	for (unsigned i = 0; i < plane->nlayers; i++)
		fpr += (double) (reach[i] - reach[i + 1]) / nkeys *
			system_fpr(&plane->systems[i]);
	return fpr;
}

/* In an exact set, a column says yes to half of the keys that reach it. */
double
ribbon_fpr(const RibbonFilter *filter)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	double rate = ribbon_inspect_plane_fpr(&opened->plane);

	if (filter->is_exact && (opened->plane.value_bits > 0 || opened->next > 0))
		rate /= 2;
	return filter->is_inverted ? 1 - rate : rate;
}

void
ribbon_info(const RibbonFilter *filter, RibbonInfo *info)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	const RibbonPlane *first = &opened->plane;
	const RibbonCodes *codes = ribbon_opened_codes(opened);

	memset(info, 0, sizeof(*info));
	info->kind = filter->is_exact ? RIBBON_EXACT : first->kind;
	info->width = (int) first->width;
	if (filter->nkeys == 0)
		return;
	if (codes != NULL)
	{
		info->coding = RIBBON_CODING_ENTROPY;
		info->nvalues = codes->ncodes - (filter->has_null ? 1 : 0);
		info->table_bytes = ribbon_codes_table_bytes(codes);
	}
	info->nlayers = (int) first->nlayers + 1;
	if (first->nlayers > 0)
		info->bumped_keys = first->layer_keys[1];
	for (; opened != NULL; opened = ribbon_opened_next(opened))
	{
		const RibbonPlane *plane = &opened->plane;
		uint64_t nslots = 0;

		for (unsigned i = 0; i < ribbon_plane_nsystems(plane); i++)
			nslots += plane->systems[i].nslots;
		info->nslots += nslots;
		info->code_bits += plane->nkeys *
			(plane->value_bits + (plane == first ? 0 : plane->check.bits));
		if (nslots > plane->nkeys)
			info->empty_slots += nslots - plane->nkeys;
	}
}
