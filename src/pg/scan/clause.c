/*
 * clause.c - conditions that can be tried for many rows at once
 *
 * A node that looks ahead tries conditions on rows that its query may never ask
 * for: LIMIT, EXISTS and cursors end a scan early.  That may take as much time
 * as has been useful before (pagebatch.c).  But it must not throw an error that
 * the query would not have met.  So there are three kinds of conditions.
 *
 *	 the probe	Its key is a column as it is, of a type that our own code
 *				hashes and that cannot fail to be hashed.  Whatever is wrong
 *				with the filter shows at the first row.  That row is looked up
 *				by itself, and only if all conditions hold that a Seq Scan
 *				tries before.  Or the probe compares what a map has for such a
 *				key.  Then rows whose keys are not in the map are dropped by
 *				the page.  The others' values are compared row by row behind
 *				it, when the CPU has them in its cache.
 *
 *	 before it	those that the planner puts before the probe and that can throw
 *				no error: all functions in them are marked LEAKPROOF, as most
 *				comparisons are, which promises that of their arguments; and
 *				the collation is one that they all can work with.
 *
 *	 behind it	all others.  They are tried on a row when the query asks for
 *				it: on no row that a Seq Scan would not have tried them on.
 */
#include "scan/scan.h"

#include "access/transam.h"
#include "key/key.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "planner/planner.h"
#include "utils/lsyscache.h"

/* The functions of contains.c and get.c, which look a key up. */
static const struct
{
	PGFunction function;
	RibbonSqlType type;
	bool is_membership;
	int filter_arg; /* the other one of the first two is the key */
} lookups[] = {
	{ribbon_pg_contains, RIBBON_SQL_FILTER, true, 0},
	{ribbon_contained_by, RIBBON_SQL_FILTER, true, 1},
	{ribbon_map_contains, RIBBON_SQL_MAP, true, 0},
	{ribbon_map_contained_by, RIBBON_SQL_MAP, true, 1},
	{ribbon_get_bigint, RIBBON_SQL_MAP, false, 0},
	{ribbon_get_text, RIBBON_SQL_MAP, false, 0},
	{ribbon_pg_get, RIBBON_SQL_MAP, false, 0}, /* a third argument: otherwise */
};

/*
 * Is it a call of one of these?  Few functions have a support function at all.
 * (One that a superuser has given settings is another's to call.)  ribbon_get
 * must give NULL for what is not found.
 */
static bool
open_call(Node *call, RibbonProbeClause *found)
{
	FmgrInfo info;
	Oid function;
	List *args = ribbon_call_args(call, &function);

	if (function < FirstNormalObjectId || list_length(args) < 2 ||
		!OidIsValid(get_func_support(function)))
		return false;
	fmgr_info(function, &info);
	for (size_t i = 0; i < lengthof(lookups); i++)
	{
		if (info.fn_addr != lookups[i].function)
			continue;
		found->filter = list_nth(args, lookups[i].filter_arg);
		found->key = list_nth(args, 1 - lookups[i].filter_arg);
		found->probe.type = lookups[i].type;
		found->probe.is_membership = lookups[i].is_membership;
		found->probe.collation = exprInputCollation(call);
		return list_length(args) == 2 ||
			(IsA(lthird(args), Const) &&
			 castNode(Const, lthird(args))->constisnull);
	}
	return false;
}

/*
 * Does the condition need a key to be found?  It is a call that tells whether
 * it is; or a comparison that is NULL if the value that a map has for it is.
 */
static bool
open_clause(Node *clause, RibbonProbeClause *found)
{
	List *args = NIL;
	Oid opno = InvalidOid;
	ListCell *cell;

	if (open_call(clause, found))
		return found->probe.is_membership;
	if (IsA(clause, OpExpr))
	{
		args = ((OpExpr *) clause)->args;
		opno = ((OpExpr *) clause)->opno;
	}
	else if (IsA(clause, ScalarArrayOpExpr) &&
			 ((ScalarArrayOpExpr *) clause)->useOr)
	{
		args = list_make1(linitial(((ScalarArrayOpExpr *) clause)->args));
		opno = ((ScalarArrayOpExpr *) clause)->opno;
	}
	foreach (cell, args)
		if (open_call(ribbon_argument_strip(lfirst(cell)), found))
			return !found->probe.is_membership && op_strict(opno);
	return false;
}

bool
ribbon_clause_is_probe(PlannerInfo *root, Node *clause, Index rti,
					   RibbonProbeClause *found)
{
	Node *filter;
	Var *column;

	if (!open_clause(clause, found))
		return false;
	filter = (Node *) found->filter;
	column = (Var *) ribbon_argument_strip((Node *) found->key);
	if (!IsA(column, Var) || column->varno != (int) rti ||
		column->varlevelsup != 0 || column->varattno <= 0)
		return false;
	found->probe.column = column->varattno;
	found->probe.key_type = exprType((Node *) found->key);
	return ribbon_keyplain_is_safe(found->probe.key_type) &&
		!bms_is_member((int) rti, pull_varnos(root, filter)) &&
		!contain_volatile_functions(filter) && !contain_subplans(filter);
}

/* A mutator: what equals pair[0] is replaced by pair[1]. */
static Node *
replace_node(Node *node, void *context)
{
	Node *const *pair = context;

	return equal(node, pair[0]) ?
		pair[1] :
		expression_tree_mutator(node, replace_node, context);
}

Node *
ribbon_clause_replace_filter(Node *clause, Expr *filter, Expr *other)
{
	return replace_node(clause, (Node *[]){(Node *) filter, (Node *) other});
}

static bool
is_leaky(Oid function, void *context)
{
	return !get_func_leakproof(function);
}

/* A walker that looks at arguments alone. */
static bool
is_collatable(Node *node, void *context)
{
	return type_is_collatable(exprType(node));
}

/*
 * Can any function compare by the collation of this call?  None can if those of
 * its arguments contradict each other; and starts_with cannot, LEAKPROOF as it
 * is, if the collation is not deterministic.
 */
static bool
is_collation_fit(Node *call)
{
	Oid collation = exprInputCollation(call);

	return OidIsValid(collation) ?
		get_collation_isdeterministic(collation) :
		!expression_tree_walker(call, is_collatable, NULL);
}

/* A walker: is there anything that is not known to work for all values? */
static bool
can_fail(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Const:
		case T_Param:
			return false;
		case T_OpExpr:
		case T_FuncExpr:
		case T_DistinctExpr:
		case T_ScalarArrayOpExpr:
			if (check_functions_in_node(node, is_leaky, context) ||
				!is_collation_fit(node))
				return true;
			break;
		case T_List:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RelabelType:
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, can_fail, context);
}

/* Is it an operator of columns, constants and parameters? */
static bool
is_plain_comparison(Node *clause)
{
	List *args;
	ListCell *cell;

	if (IsA(clause, OpExpr))
		args = ((OpExpr *) clause)->args;
	else if (IsA(clause, ScalarArrayOpExpr))
		args = ((ScalarArrayOpExpr *) clause)->args;
	else
		return false;
	foreach (cell, args)
	{
		Node *arg = ribbon_argument_strip(lfirst(cell));

		if (!IsA(arg, Var) && !IsA(arg, Const) && !IsA(arg, Param))
			return false;
	}
	return true;
}

static bool
has_exec_param(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param))
		return ((Param *) node)->paramkind == PARAM_EXEC;
	return expression_tree_walker(node, has_exec_param, context);
}

/*
 * A parameter may stand for a subquery that has yet to be executed, and may
 * fail then.  In a comparison it is needed for every row; elsewhere, as in
 * a OR b < $1, the first row may do without it, and one further on may not.
 */
bool
ribbon_clause_cannot_fail(Node *clause)
{
	if (can_fail(clause, NULL))
		return false;
	return is_plain_comparison(clause) || !has_exec_param(clause, NULL);
}
