/*
 * clause.c - conditions that can be tried for many rows at once
 *
 * A node that looks ahead tries conditions on rows that its query may never ask
 * for: LIMIT, EXISTS and cursors end a scan early.  Time is lost with them, but
 * no more than was needed before (batch.c); what must not be is an error that
 * the query would not have met.  So there are three kinds of conditions.
 *
 *	 the probe	Its key is a column as it is, of a type that our own code
 *				hashes and that cannot fail to be hashed.  Whatever is wrong
 *				with the filter shows at the first row, which is always looked
 *				up by itself.
 *
 *	 before it	those that the planner puts before the probe and that can throw
 *				no error: all functions in them are marked LEAKPROOF, as most
 *				comparisons are, which promises that of their arguments; and
 *				the collation is one that they all can work with.
 *
 *	 behind it	all others.  They are tried for a row when the query asks for
 *				it, never on a row that they would not have been tried on
 *				otherwise; if the planner had put one before the probe, on
 *				fewer.
 */
#include "scan/scan.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

static bool is_contains(Oid function, int *filter_arg, bool *of_map);
static Oid called_function(Node *clause, List **args, Oid *collation);
static Expr *strip_labels(Expr *expr);
static bool is_hashed_safely(Oid type);
static bool can_fail(Node *node, void *context);
static bool is_leaky(Oid function, void *context);
static bool is_collation_fit(Node *node);
static bool is_collatable(Node *node, void *context);
static bool has_exec_param(Node *node, void *context);
static bool is_plain_comparison(Node *clause);

bool
ribbon_scan_is_probe(PlannerInfo *root, Node *clause, Index rti,
					 RibbonScanProbe *probe)
{
	List *args;
	Oid function = called_function(clause, &args, &probe->collation);
	int filter_arg;
	bool of_map;

	if (function < FirstNormalObjectId || list_length(args) != 2 ||
		!is_contains(function, &filter_arg, &of_map))
		return false;
	ribbon_scan_open_probe(clause, probe);
	return probe->column != NULL && probe->column->varno == (int) rti &&
		probe->column->varlevelsup == 0 && probe->column->varattno > 0 &&
		is_hashed_safely(exprType((Node *) probe->key)) &&
		!bms_is_member((int) rti, pull_varnos(root, (Node *) probe->filter)) &&
		!contain_volatile_functions((Node *) probe->filter) &&
		!contain_subplans((Node *) probe->filter);
}

void
ribbon_scan_open_probe(Node *clause, RibbonScanProbe *probe)
{
	List *args;
	Oid function = called_function(clause, &args, &probe->collation);
	int filter_arg = 0;
	Expr *plain;

	(void) is_contains(function, &filter_arg, &probe->of_map);
	probe->filter = list_nth(args, filter_arg);
	probe->key = list_nth(args, 1 - filter_arg);
	plain = strip_labels(probe->key);
	probe->column = IsA(plain, Var) ? (Var *) plain : NULL;
}

/*
 * Is it one of the functions in probe.c, or of those in get.c that give no
 * value?  Few functions have a support function at all.  (One that a superuser
 * has given settings is another's to call.)
 */
static bool
is_contains(Oid function, int *filter_arg, bool *of_map)
{
	FmgrInfo info;

	if (!OidIsValid(get_func_support(function)))
		return false;
	fmgr_info(function, &info);
	*of_map = info.fn_addr == ribbon_map_contains ||
		info.fn_addr == ribbon_map_contained_by;
	*filter_arg = info.fn_addr == ribbon_contained_by ||
			info.fn_addr == ribbon_map_contained_by ?
		1 :
		0;
	return *of_map || info.fn_addr == ribbon_pg_contains ||
		info.fn_addr == ribbon_contained_by;
}

/* The function that a clause calls, or InvalidOid. */
static Oid
called_function(Node *clause, List **args, Oid *collation)
{
	if (IsA(clause, OpExpr))
	{
		OpExpr *op = (OpExpr *) clause;

		*args = op->args;
		*collation = op->inputcollid;
		return op->opfuncid;
	}
	if (IsA(clause, FuncExpr))
	{
		FuncExpr *call = (FuncExpr *) clause;

		*args = call->args;
		*collation = call->inputcollid;
		return call->funcid;
	}
	*args = NIL;
	return InvalidOid;
}

/* An expression without what names its type anew and changes nothing. */
static Expr *
strip_labels(Expr *expr)
{
	while (IsA(expr, RelabelType))
		expr = ((RelabelType *) expr)->arg;
	return expr;
}

/*
 * Does hashing a value of this type call our code alone, and throw no error
 * that depends on it?  Text must be put into UTF-8, which may fail.  An enum's
 * label comes from a catalog, and parts of values may be of any type.
 */
static bool
is_hashed_safely(Oid type)
{
	switch (getBaseType(type))
	{
		case INT8OID:
		case INT4OID:
		case INT2OID:
		case UUIDOID:
		case BYTEAOID:
		case BOOLOID:
		case DATEOID:
		case TIMEOID:
		case TIMETZOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case OIDOID:
		case XID8OID:
		case PG_LSNOID:
		case FLOAT8OID:
		case FLOAT4OID:
		case MACADDROID:
		case MACADDR8OID:
		case NUMERICOID:
		case INTERVALOID:
		case INETOID:
		case CIDROID:
		case BITOID:
		case VARBITOID:
			return true;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case NAMEOID:
			return GetDatabaseEncoding() == PG_UTF8 ||
				GetDatabaseEncoding() == PG_SQL_ASCII;
		default:
			return false;
	}
}

/*
 * A parameter may stand for a subquery that has yet to be executed, and may
 * fail then.  In a comparison it is needed for every row; elsewhere, as in
 * a OR b < $1, the first row may do without it, and one further on may not.
 */
bool
ribbon_scan_cannot_fail(Node *clause)
{
	if (can_fail(clause, NULL))
		return false;
	return is_plain_comparison(clause) || !has_exec_param(clause, NULL);
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
		case T_List:
		case T_OpExpr:
		case T_FuncExpr:
		case T_DistinctExpr:
		case T_ScalarArrayOpExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RelabelType:
			break;
		default:
			return true;
	}
	if (check_functions_in_node(node, is_leaky, context) ||
		!is_collation_fit(node))
		return true;
	return expression_tree_walker(node, can_fail, context);
}

static bool
is_leaky(Oid function, void *context)
{
	(void) context;
	return !get_func_leakproof(function);
}

/*
 * Can any function compare by the collation of this node?  None can if those of
 * its arguments contradict each other; and starts_with cannot, LEAKPROOF as it
 * is, if the collation is not deterministic.
 */
static bool
is_collation_fit(Node *node)
{
	Oid collation;

	switch (nodeTag(node))
	{
		case T_OpExpr:
		case T_FuncExpr:
		case T_DistinctExpr:
		case T_ScalarArrayOpExpr:
			collation = exprInputCollation(node);
			if (OidIsValid(collation))
				return get_collation_isdeterministic(collation);
			return !expression_tree_walker(node, is_collatable, NULL);
		default:
			return true;
	}
}

/* A walker that looks at arguments alone. */
static bool
is_collatable(Node *node, void *context)
{
	(void) context;
	return type_is_collatable(exprType(node));
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
		Expr *arg = strip_labels(lfirst(cell));

		if (!IsA(arg, Var) && !IsA(arg, Const) && !IsA(arg, Param))
			return false;
	}
	return true;
}
