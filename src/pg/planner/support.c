/*
 * support.c - the support functions: what the planner asks of a function that
 * looks a key up
 *
 * How many rows it lets through is selectivity.c's to say; argument.c and
 * subquery.c, what is to stand for the filter in its call.  Here is what it
 * costs.
 *
 * A probe costs more than a comparison, the more the larger the filter is, and
 * far less than a join; so it should be made after the one and before the
 * other.  Of an array, each key but the first costs what a probe does in a
 * batch.  If each row has a filter of its own, it is read in slices, which is
 * as expensive as many comparisons.  Lookups in maps cost as much.
 */
#include "planner/planner.h"

#include "catalog/pg_type.h"
#include "compatcalls.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "probing/cost.h"
#include "utils/lsyscache.h"

/* How many keys does a call look up, by its second argument? */
static double
estimate_keys(PlannerInfo *root, Oid function, Node *keys)
{
	Oid *types;
	int ntypes;

	if (root == NULL)
		return 1;
	(void) get_func_signature(function, &types, &ntypes);
	return ntypes > 1 && types[1] == ANYCOMPATIBLEARRAYOID ?
		Max(ribbon_estimate_array_length(root, keys), 1) :
		1;
}

static void
estimate_cost(SupportRequestCost *req, int filter_arg)
{
	Oid function;
	List *args = ribbon_call_args(req->node, &function);
	RibbonFilterEstimate filter = {0};
	bool own_filter = false; /* has each row one of its own? */
	double nkeys = 1;
	double comparisons;
	double startup = 0;

	if (list_length(args) >= 2)
	{
		Node *filter_node = list_nth(args, filter_arg);
		Node *key = list_nth(args, 1 - filter_arg);

		if (req->root != NULL)
			filter = ribbon_filter_estimate(req->root, filter_node);
		own_filter = contain_var_clause(filter_node) &&
			!contain_var_clause(key);
		nkeys = estimate_keys(req->root, function, key);
	}

	comparisons = ribbon_cost_of_probe(filter.summary.nbytes) *
		(1 + (nkeys - 1) * RIBBON_COST_BATCH_SHARE);
	if (own_filter && filter.summary.nbytes > RIBBON_COST_CHUNK_BYTES)
		comparisons = RIBBON_COST_SLICES; /* each is stored, and probed once */
	else if (filter.state == RIBBON_FILTER_MEANS)
		startup = ribbon_cost_of_reading(filter.summary.nbytes); /* once */
	req->startup = startup * cpu_operator_cost;
	req->per_tuple = comparisons * cpu_operator_cost;
}

/*
 * The call stays what it is, an operator or a function; its list of arguments
 * gets another filter: a parameter for the constant that is its value, or a
 * subquery that gives it in memory.
 *
 * The list is the planner's own: simplify_function (clauses.c, versions 15 to
 * 19) makes a new one, of simplified arguments, and if the support function
 * returns NULL, as ours does, puts this list into the call that it copies.
 * (It takes the list as it is for a cast by text alone, which no call of ours
 * is.)
 */
static void
mend_argument(SupportRequestSimplify *req, int filter_arg)
{
	PlannerInfo *root = req->root;
	ListCell *cell;

	if (root == NULL || filter_arg >= list_length(req->fcall->args))
		return;
	cell = list_nth_cell(req->fcall->args, filter_arg);
	if (IsA(lfirst(cell), Const))
		lfirst(cell) = ribbon_argument_restore(root, lfirst(cell));
	else
		(void) ribbon_subquery_keep_in_memory(lfirst(cell), root);
}

/*
 * The support function of a function whose arguments begin with the filter and
 * the key, in some order.  selects: is it true of rows whose key is found?
 * (Not so what gives a value of a map, is NULL at times, or takes many keys.)
 */
static Datum
answer_request(FunctionCallInfo fcinfo, int filter_arg, bool selects)
{
	Node *request = (Node *) PG_GETARG_POINTER(0);

	if (selects && IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *req = (SupportRequestSelectivity *) request;

		req->selectivity = ribbon_selectivity(req->root, req->args, filter_arg,
											  req->varRelid);
		PG_RETURN_POINTER(request);
	}
	if (IsA(request, SupportRequestCost))
	{
		estimate_cost((SupportRequestCost *) request, filter_arg);
		PG_RETURN_POINTER(request);
	}
	if (IsA(request, SupportRequestSimplify))
		mend_argument((SupportRequestSimplify *) request, filter_arg);
	PG_RETURN_POINTER(NULL);
}

RIBBON_SQL_FUNCTION(ribbon_contains_support, answer_request(fcinfo, 0, true));
RIBBON_SQL_FUNCTION(ribbon_contained_by_support,
					answer_request(fcinfo, 1, true));
RIBBON_SQL_FUNCTION(ribbon_lookup_support, answer_request(fcinfo, 0, false));
