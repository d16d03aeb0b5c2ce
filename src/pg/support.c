/*
 * support.c - how many rows will a probe let through?
 *
 * A filter of n keys, probed with a column of d distinct values, lets through
 * at best n / d of them, and of the rest its false-positive rate:
 *
 *	 present = min(1, n / d)
 *	 selectivity = (present + (1 - present) * FPR) * (1 - NULL fraction)
 *
 * d comes from the column's statistics, n and the rate from the filter, if the
 * planner knows it.  A filter that comes from a table is anybody's guess.
 *
 * The operators ask through their RESTRICT and JOIN functions, and
 * ribbon_contains(...) through its support function.  Estimates must
 * never fail: whatever is unexpected gets the default.
 */
#include "ribbon_pg.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_statistic.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#define DEFAULT_SELECTIVITY 0.05

PG_FUNCTION_INFO_V1(ribbon_contains_support);
PG_FUNCTION_INFO_V1(ribbon_contains_sel);
PG_FUNCTION_INFO_V1(ribbon_contains_joinsel);

static Selectivity estimate(PlannerInfo *root, List *args, int filter_arg,
							int varRelid);
static bool read_filter(Const *constant, RibbonFilter *filter);
static double fraction_present(VariableStatData *keys, uint64_t nkeys);
static double null_fraction(VariableStatData *keys);

/* The support function of ribbon_contains(filter, key). */
Datum
ribbon_contains_support(PG_FUNCTION_ARGS)
{
	Node *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *req = (SupportRequestSelectivity *) request;

		req->selectivity = estimate(req->root, req->args, 0, req->varRelid);
		PG_RETURN_POINTER(req);
	}
	PG_RETURN_POINTER(NULL);
}

/* RESTRICT of @> and <@ */
Datum
ribbon_contains_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid opno = PG_GETARG_OID(1);
	List *args = (List *) PG_GETARG_POINTER(2);
	int varRelid = PG_GETARG_INT32(3);
	Oid left;
	Oid right;
	int filter_arg;

	/* one side is a built-in type, the key's; the other is the filter's */
	op_input_types(opno, &left, &right);
	filter_arg = left < FirstNormalObjectId ? 1 : 0;

	PG_RETURN_FLOAT8(estimate(root, args, filter_arg, varRelid));
}

/* JOIN of @> and <@: the filter is not known to the planner */
Datum
ribbon_contains_joinsel(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_FLOAT8(DEFAULT_SELECTIVITY);
}

static Selectivity
estimate(PlannerInfo *root, List *args, int filter_arg, int varRelid)
{
	Node *filter_node;
	VariableStatData keys;
	RibbonFilter filter;
	double present;
	Selectivity result;

	if (list_length(args) != 2)
		return DEFAULT_SELECTIVITY;

	filter_node = estimate_expression_value(root, list_nth(args, filter_arg));
	if (!IsA(filter_node, Const))
		return DEFAULT_SELECTIVITY;
	if (((Const *) filter_node)->constisnull)
		return 0.0; /* strict */
	if (!read_filter((Const *) filter_node, &filter))
		return DEFAULT_SELECTIVITY;
	if (filter.nkeys == 0)
		return 0.0;

	examine_variable(root, list_nth(args, 1 - filter_arg), varRelid, &keys);
	present = fraction_present(&keys, filter.nkeys);
	result = (present + (1.0 - present) * ribbon_fpr(&filter)) *
		(1.0 - null_fraction(&keys));
	ReleaseVariableStats(keys);

	CLAMP_PROBABILITY(result);
	return result;
}

/* Decode the header of a constant; the pointers in filter may dangle. */
static bool
read_filter(Const *constant, RibbonFilter *filter)
{
	struct varlena *value;
	RibbonStatus status;

	if (constant->constlen != -1 || constant->constbyval)
		return false;

	value = PG_DETOAST_DATUM_PACKED(constant->constvalue);
	status = ribbon_open((const uint8_t *) VARDATA_ANY(value),
						 VARSIZE_ANY_EXHDR(value), filter);
	if ((Pointer) value != DatumGetPointer(constant->constvalue))
		pfree(value);

	return status == RIBBON_OK;
}

static double
fraction_present(VariableStatData *keys, uint64_t nkeys)
{
	bool isdefault;
	double ndistinct = get_variable_numdistinct(keys, &isdefault);

	return Min(1.0, (double) nkeys / Max(ndistinct, 1.0));
}

static double
null_fraction(VariableStatData *keys)
{
	if (!HeapTupleIsValid(keys->statsTuple))
		return 0.0;
	return ((Form_pg_statistic) GETSTRUCT(keys->statsTuple))->stanullfrac;
}
