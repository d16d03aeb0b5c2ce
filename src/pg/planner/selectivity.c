/*
 * selectivity.c - how many rows will a probe let through?
 *
 * A filter of n keys, probed with a column of d distinct values, lets through
 * at best n / d of them, and of the rest its false-positive rate:
 *
 *	 present = min(most, n / d)
 *	 selectivity = (present + (1 - present) * FPR) * (1 - NULL fraction)
 *
 * d comes from the column's statistics.  n and the rate come from the filter
 * itself, if the planner knows it; then most is 1.  If a join or a subquery
 * takes the filter from a column, they are means of that column's filters, and
 * most is 0.99.  For a mean does not make sure that all rows pass.  And if all
 * were expected to pass, the planner would drop the scan that tries each filter
 * on the rows (make_path in scan/path.c).
 *
 * The operators ask through their RESTRICT and JOIN functions, and
 * ribbon_contains(...) through its support function.  Estimates must not fail:
 * whatever is unexpected gets the default.  (They fail if the server cannot
 * read a stored filter: chunks are missing, or compressed bytes are damaged.)
 *
 * ANALYZE reads the headers of the filters in its sample (of a value out of
 * line the first slice alone) and leaves the means in pg_statistic, beside what
 * it finds out about any type.
 *
 * All this holds for maps, too.
 */
#include "planner/planner.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"
#include "compatcalls.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

/* Guesses: of a filter of which nothing, and of which only means are known. */
#define DEFAULT_SELECTIVITY 0.05
#define MOST_PRESENT		0.99

/*
 * A slot of pg_statistic with the means of a column's filters, one float4 each.
 * The number is from the range for private use.
 */
#define STATISTIC_KIND 21030

enum
{
	MEAN_KEYS,
	MEAN_FPR,
	MEAN_BYTES,
	MEANS
};

/*
 * The means of a column's filters.  They tell of what the filters hold, so they
 * are for those alone who may read the whole column: not through row security
 * or a security barrier, where EXPLAIN would show what has been hidden.
 */
static RibbonFilterEstimate
estimate_column(PlannerInfo *root, Node *node)
{
	RibbonFilterEstimate filter = {0};
	VariableStatData column;
	AttStatsSlot slot;

	examine_variable(root, node, 0, &column);
	if (HeapTupleIsValid(column.statsTuple) && column.acl_ok &&
		get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND, InvalidOid,
						 ATTSTATSSLOT_NUMBERS))
	{
		if (slot.nnumbers == MEANS)
		{
			filter.state = RIBBON_FILTER_MEANS;
			filter.summary.nkeys = slot.numbers[MEAN_KEYS];
			filter.summary.fpr = slot.numbers[MEAN_FPR];
			filter.summary.nbytes = slot.numbers[MEAN_BYTES];
		}
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(column);
	return filter;
}

RibbonFilterEstimate
ribbon_filter_estimate(PlannerInfo *root, Node *node)
{
	RibbonFilterEstimate filter = {0};
	NullableDatum value;

	if (ribbon_argument_known(root, node, &value))
	{
		if (value.isnull)
			filter.state = RIBBON_FILTER_NULL;
		else if (ribbon_datum_summarize(value.value, &filter.summary))
			filter.state = RIBBON_FILTER_KNOWN;
		return filter;
	}
	node = ribbon_argument_strip(node); /* of a domain */
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
		node = ribbon_subquery_result(&root, ((Param *) node)->paramid);
	return node == NULL ? filter : estimate_column(root, node);
}

/*
 * Of how many rows is the key in the filter?  About a single key, or one of
 * which nothing is known, we can only guess.
 */
static double
fraction_present(VariableStatData *keys, double nkeys)
{
	bool isdefault;
	double ndistinct = get_variable_numdistinct(keys, &isdefault);

	if (isdefault || !contain_var_clause(keys->var))
		return DEFAULT_SELECTIVITY;
	return Min(1.0, nkeys / Max(ndistinct, 1.0));
}

static double
null_fraction(VariableStatData *keys)
{
	if (!HeapTupleIsValid(keys->statsTuple))
		return 0.0;
	return ((Form_pg_statistic) GETSTRUCT(keys->statsTuple))->stanullfrac;
}

Selectivity
ribbon_selectivity(PlannerInfo *root, List *args, int filter_arg, int varRelid)
{
	VariableStatData keys;
	NullableDatum value;
	Node *node;
	RibbonFilterEstimate filter;
	double present;
	Selectivity result;

	if (list_length(args) != 2)
		return DEFAULT_SELECTIVITY;

	/*
	 * A stable function is called for its filter, as for any operator's
	 * argument.  It may take long to build one: costs do without (support.c).
	 */
	node = list_nth(args, filter_arg);
	if (!ribbon_argument_known(root, node, &value))
		node = estimate_expression_value(root, node);
	filter = ribbon_filter_estimate(root, node);
	if (filter.state == RIBBON_FILTER_NULL)
		return 0.0; /* strict */
	if (filter.state == RIBBON_FILTER_UNKNOWN)
		return DEFAULT_SELECTIVITY;
	if (filter.summary.nkeys == 0)
		return 0.0;

	examine_variable(root, list_nth(args, 1 - filter_arg), varRelid, &keys);
	present = fraction_present(&keys, filter.summary.nkeys);
	if (filter.state == RIBBON_FILTER_MEANS)
		present = Min(present, MOST_PRESENT);
	result = (present + (1.0 - present) * filter.summary.fpr) *
		(1.0 - null_fraction(&keys));
	ReleaseVariableStats(keys);

	CLAMP_PROBABILITY(result);
	return result;
}

/* RESTRICT and JOIN of @> and <@; that of a join is of no single relation. */
static Datum
operator_selectivity(FunctionCallInfo fcinfo, int relation)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List *args = (List *) PG_GETARG_POINTER(2);
	Oid left, right;

	/* one side is a built-in type, the key's; the other is the filter's */
	op_input_types(PG_GETARG_OID(1), &left, &right);
	PG_RETURN_FLOAT8(ribbon_selectivity(root, args,
										left < FirstNormalObjectId ? 1 : 0,
										relation));
}

RIBBON_SQL_FUNCTION(ribbon_contains_sel,
					operator_selectivity(fcinfo, PG_GETARG_INT32(3)));
RIBBON_SQL_FUNCTION(ribbon_contains_joinsel, operator_selectivity(fcinfo, 0));

/* extra_data is stats as the server's own function would have them. */
static void
compute_filter_stats(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch,
					 int nsampled, double nrows)
{
	VacAttrStats *standard = stats->extra_data;
	double sums[MEANS] = {0};
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
		sums[MEAN_KEYS] += summary.nkeys;
		sums[MEAN_FPR] += summary.fpr;
		sums[MEAN_BYTES] += summary.nbytes;
		nfilters++;
	}
	while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
		slot++;
	if (nfilters == 0 || slot == STATISTIC_NUM_SLOTS)
		return;

	stats->stakind[slot] = STATISTIC_KIND;
	stats->staop[slot] = InvalidOid;
	stats->stacoll[slot] = InvalidOid;
	stats->numnumbers[slot] = MEANS;
	stats->stanumbers[slot] = MemoryContextAlloc(stats->anl_context,
												 MEANS * sizeof(float4));
	for (int i = 0; i < MEANS; i++)
		stats->stanumbers[slot][i] = (float4) (sums[i] / nfilters);
}

RIBBON_SQL_ENTRY(ribbon_typanalyze)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);
	VacAttrStats *standard;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);

	standard = palloc(sizeof(VacAttrStats));
	*standard = *stats;
	stats->compute_stats = compute_filter_stats;
	stats->extra_data = standard;
	PG_RETURN_BOOL(true);
}
