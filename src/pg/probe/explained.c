/*
 * explained.c - EXPLAIN (ANALYZE, RIBBON): probes by the row, call by call
 *
 * PostgreSQL 18 lets an extension add options to EXPLAIN, and lines to its
 * nodes.  For each call of ours in a node's columns and conditions there is
 *
 *	 Ribbon: (members @> user_id)  probes=1000 passed=10 kept=990 sliced=10
 *	 pages=43
 *
 * in one line: keys that were looked up, and those that passed; how many of
 * them in a stored value that was read whole and kept, and how many in slices,
 * and pages that these took.  (The rest was in values in line.)
 *
 * A function knows the expression that it was called for (fn_expr), which is
 * the one in the plan.  So counts are kept under the expression's address,
 * while a statement with the option runs, and found again by a walk through a
 * node's expressions.  Nothing of this is in a call site, so there is nothing
 * that could outlive the statement; whoever does not ask pays for a look at
 * ribbon_explaining.
 *
 * Workers of a parallel query have not been asked, and count nothing.
 *
 * Before PostgreSQL 18 there is no such option, and nothing is ever counted.
 */
#include "probe/contains.h"

#include "commands/defrem.h"
#include "executor/instrument.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "utils/hsearch.h"
#include "utils/ruleutils.h"

/* Of a call. */
typedef struct CallCounts
{
	const void *call; /* the expression; the key */
	uint64 probes;
	uint64 passed;
	uint64 kept;
	uint64 sliced;
	uint64 pages; /* read for those */
} CallCounts;

/*
 * An EXPLAIN that has the option.  It lives where the server's state does: when
 * it is over, as long as its portal is open.  So the innermost one need not be
 * the one that goes on, and all of them count; each shows the calls of its own
 * plan alone.
 */
struct RibbonExplained
{
	struct RibbonExplained *outer; /* that began before, or NULL */
	ExplainState *es;
	HTAB *calls;
	MemoryContextCallback callback;
};

/* A walk through the expressions of a node. */
typedef struct NodeWalk
{
	struct RibbonExplained *explained;
	PlanState *node;
	List *ancestors;
	bool shown; /* anything */
} NodeWalk;

struct RibbonExplained *ribbon_explaining;
static RibbonExplainNode next_hook;
static uint64 sliced_pages; /* that the last probe in slices took */

static struct RibbonExplained *find_explained(const ExplainState *es);
static void take_option(ExplainState *es, DefElem *option, ParseState *pstate);
static void end(void *arg);
static void explain_node(PlanState *node, List *ancestors,
						 const char *relationship, const char *plan_name,
						 ExplainState *es);
static List *expressions_of(const Plan *plan);
static List *expressions_of_change(const ModifyTable *change);
static bool show_calls(Node *expression, void *context);
static void show(const NodeWalk *walk, Node *expression,
				 const CallCounts *counts);

void
ribbon_explained_init(void)
{
	next_hook = ribbon_explain_extend("ribbon", take_option, explain_node);
}

/* The one of this statement, or NULL. */
static struct RibbonExplained *
find_explained(const ExplainState *es)
{
	struct RibbonExplained *explained = ribbon_explaining;

	while (explained != NULL && explained->es != es)
		explained = explained->outer;
	return explained;
}

/* The option is given. */
static void
take_option(ExplainState *es, DefElem *option, ParseState *pstate)
{
	struct RibbonExplained *explained = find_explained(es);
	HASHCTL control = {.keysize = sizeof(void *),
					   .entrysize = sizeof(CallCounts),
					   .hcxt = CurrentMemoryContext};
	bool wanted = defGetBoolean(option);

	(void) pstate;
	if (explained != NULL)
	{
		if (!wanted)
			end(explained);
		return;
	}
	if (!wanted)
		return;
	explained = palloc0(sizeof(*explained));
	explained->es = es;
	explained->calls = hash_create("probes that EXPLAIN counts", 16, &control,
								   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	explained->callback.func = end;
	explained->callback.arg = explained;
	MemoryContextRegisterResetCallback(CurrentMemoryContext,
									   &explained->callback);
	explained->outer = ribbon_explaining;
	ribbon_explaining = explained;
}

/* It is over, or failed; perhaps before another one in it. */
static void
end(void *arg)
{
	struct RibbonExplained **link = &ribbon_explaining;

	while (*link != NULL && *link != arg)
		link = &(*link)->outer;
	if (*link != NULL)
		*link = (*link)->outer;
}

/* What has been found last is what has been looked at, if it is kept. */
void
ribbon_explained_add(FunctionCallInfo fcinfo, Datum value, size_t nprobes,
					 size_t npassed)
{
	const void *call = fcinfo->flinfo->fn_expr;
	struct varlena *at = ribbon_probecache_follow(value);
	bool stored = VARATT_IS_EXTERNAL_ONDISK(at);
	bool kept = stored &&
		(ribbon_kept_again(at) != NULL || ribbon_kept_map_again(at) != NULL);

	for (struct RibbonExplained *explained = ribbon_explaining;
		 explained != NULL; explained = explained->outer)
	{
		bool found;
		CallCounts *counts = hash_search(explained->calls, &call, HASH_ENTER,
										 &found);

		if (!found)
			*counts = (CallCounts){.call = call};
		counts->probes += nprobes;
		counts->passed += npassed;
		counts->kept += kept ? nprobes : 0;
		counts->sliced += stored && !kept ? nprobes : 0;
		counts->pages += stored && !kept ? sliced_pages : 0;
	}
	sliced_pages = 0;
}

bool
ribbon_explained_slice_use(struct varlena *value, RibbonGuess *guess,
						   RibbonSliceUse use, void *arg)
{
	BufferUsage before = pgBufferUsage;
	bool result = ribbon_slice_use(value, guess, use, arg);

	sliced_pages =
		(uint64) (pgBufferUsage.shared_blks_hit - before.shared_blks_hit +
				  pgBufferUsage.shared_blks_read - before.shared_blks_read +
				  pgBufferUsage.local_blks_hit - before.local_blks_hit +
				  pgBufferUsage.local_blks_read - before.local_blks_read);
	return result;
}

/* The hook. */
static void
explain_node(PlanState *node, List *ancestors, const char *relationship,
			 const char *plan_name, ExplainState *es)
{
	struct RibbonExplained *explained = find_explained(es);
	NodeWalk walk = {explained, node, ancestors, false};

	if (next_hook != NULL)
		next_hook(node, ancestors, relationship, plan_name, es);
	if (explained == NULL || !es->analyze)
		return;
	show_calls((Node *) expressions_of(node->plan), &walk);
	if (walk.shown)
		ExplainCloseGroup("Ribbon-Probes", "Ribbon Probes", false, es);
}

/* What a node computes and tries, besides what makes up its joins and scans. */
static List *
expressions_of(const Plan *plan)
{
	List *all = list_make2(plan->targetlist, plan->qual);

	switch (nodeTag(plan))
	{
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return lappend(all, ((const Join *) plan)->joinqual);
		case T_Result:
			return lappend(all, ((const Result *) plan)->resconstantqual);
		case T_IndexScan:
			return lappend(all, ((const IndexScan *) plan)->indexqualorig);
		case T_BitmapHeapScan:
			return lappend(all,
						   ((const BitmapHeapScan *) plan)->bitmapqualorig);
		case T_FunctionScan:
			return lappend(all, ((const FunctionScan *) plan)->functions);
		case T_ValuesScan:
			return lappend(all, ((const ValuesScan *) plan)->values_lists);
		case T_ModifyTable:
			return lappend(all,
						   expressions_of_change((const ModifyTable *) plan));
		default:
			return all;
	}
}

static List *
expressions_of_change(const ModifyTable *change)
{
	return list_make5(change->withCheckOptionLists, change->onConflictSet,
					  change->onConflictWhere, change->mergeActionLists,
					  change->returningLists);
}

/* A walker. */
static bool
show_calls(Node *expression, void *context)
{
	NodeWalk *walk = context;
	const void *call = expression;
	const CallCounts *counts;

	if (expression == NULL)
		return false;
	counts = hash_search(walk->explained->calls, &call, HASH_FIND, NULL);
	if (counts != NULL)
	{
		if (!walk->shown)
			ExplainOpenGroup("Ribbon-Probes", "Ribbon Probes", false,
							 walk->explained->es);
		walk->shown = true;
		show(walk, expression, counts);
	}
	return expression_tree_walker(expression, show_calls, context);
}

static void
show(const NodeWalk *walk, Node *expression, const CallCounts *counts)
{
	ExplainState *es = walk->explained->es;
	List *names = set_deparse_context_plan(es->deparse_cxt, walk->node->plan,
										   walk->ancestors);
	char *text = deparse_expression(expression, names,
									list_length(es->rtable) > 1 || es->verbose,
									false);
	bool in_parallel = walk->node->worker_instrument != NULL;

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		appendStringInfoSpaces(es->str, 2 * es->indent);
		appendStringInfo(es->str,
						 "Ribbon%s: %s  probes=" UINT64_FORMAT
						 " passed=" UINT64_FORMAT " kept=" UINT64_FORMAT
						 " sliced=" UINT64_FORMAT " pages=" UINT64_FORMAT "\n",
						 in_parallel ? " (leader alone)" : "", text,
						 counts->probes, counts->passed, counts->kept,
						 counts->sliced, counts->pages);
		return;
	}
	ExplainOpenGroup("Ribbon-Probe", NULL, true, es);
	ExplainPropertyText("Call", text, es);
	ExplainPropertyBool("Leader Alone", in_parallel, es);
	ExplainPropertyUInteger("Probes", NULL, counts->probes, es);
	ExplainPropertyUInteger("Passed", NULL, counts->passed, es);
	ExplainPropertyUInteger("Kept", NULL, counts->kept, es);
	ExplainPropertyUInteger("Sliced", NULL, counts->sliced, es);
	ExplainPropertyUInteger("Pages", NULL, counts->pages, es);
	ExplainCloseGroup("Ribbon-Probe", NULL, true, es);
}
