/*
 * analyze.c - statistics of a column of filters, or maps
 *
 * What the planner wants to know of a stored filter is how many keys it has,
 * its false-positive rate, and its size.  ANALYZE reads the headers of the
 * filters in its sample (of a value out of line the first slice alone) and
 * leaves the means in pg_statistic, beside what it finds out about any type.
 */
#include "planner/planner.h"

#include "commands/vacuum.h"
#include "compatcalls.h"

/* What the server's own function would use. */
typedef struct Standard
{
	AnalyzeAttrComputeStatsFunc compute_stats;
	void *extra_data;
} Standard;

static void
compute_filter_stats(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch,
					 int nsampled, double nrows)
{
	Standard *standard = stats->extra_data;
	double sums[RIBBON_STATISTICS] = {0};
	int nfilters = 0;
	int slot = 0;

	stats->extra_data = standard->extra_data;
	standard->compute_stats(stats, fetch, nsampled, nrows);
	stats->extra_data = standard;

	for (int i = 0; i < nsampled; i++)
	{
		RibbonSummary summary;
		bool isnull;
		Datum value = fetch(stats, i, &isnull);

		ribbon_analyze_delay_point();
		if (isnull || !ribbon_datum_summarize(value, &summary))
			continue;
		sums[RIBBON_STATISTIC_KEYS] += summary.nkeys;
		sums[RIBBON_STATISTIC_FPR] += summary.fpr;
		sums[RIBBON_STATISTIC_BYTES] += summary.nbytes;
		nfilters++;
	}
	while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
		slot++;
	if (nfilters == 0 || slot == STATISTIC_NUM_SLOTS)
		return;

	stats->stakind[slot] = RIBBON_STATISTIC_KIND;
	stats->staop[slot] = InvalidOid;
	stats->stacoll[slot] = InvalidOid;
	stats->numnumbers[slot] = RIBBON_STATISTICS;
	stats->stanumbers[slot] = MemoryContextAlloc(stats->anl_context,
												 RIBBON_STATISTICS *
													 sizeof(float4));
	for (int i = 0; i < RIBBON_STATISTICS; i++)
		stats->stanumbers[slot][i] = (float4) (sums[i] / nfilters);
}

RIBBON_SQL_ENTRY(ribbon_typanalyze)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);
	Standard *standard;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);

	standard = palloc(sizeof(Standard));
	standard->compute_stats = stats->compute_stats;
	standard->extra_data = stats->extra_data;
	stats->compute_stats = compute_filter_stats;
	stats->extra_data = standard;
	PG_RETURN_BOOL(true);
}
