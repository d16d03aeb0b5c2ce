/*
 * argument.c - what stands for the filter in a call, when a query is planned
 *
 * A parameter stays one.  A plan for the values of one execution, as a server
 * makes the first few of every prepared statement, has them as constants.  One
 * of many megabytes is copied whenever an expression is, EXPLAIN prints it, and
 * each parallel worker is sent it as decimal digits.  So a constant that is the
 * value of a parameter becomes the parameter again, whose bytes all processes
 * are given.  (The parameter may be of another type: $1::bytea::ribbonfilter is
 * a cast that the planner has made, and that has found the bytes valid.)
 *
 * A subquery of temporary tables returns the filter itself.  It is executed
 * once, by the leader, and workers are given the result; but a pointer to a
 * TOAST table of the leader's own they could not follow.
 */
#include "planner/planner.h"

#include "access/detoast.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"
#include "server/server.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/* Smaller constants may stay what they are. */
#define MIN_BYTES 2000

Node *
ribbon_argument_strip(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/*
 * Parameter number id, if its value holds for the plan and is of a type like
 * ours; else NULL.
 */
static const ParamExternData *
find_parameter(PlannerInfo *root, int id, ParamExternData *room)
{
	ParamListInfo params = root == NULL ? NULL : root->glob->boundParams;
	const ParamExternData *param;

	if (params == NULL || id < 1 || id > params->numParams)
		return NULL;
	param = params->paramFetch != NULL ?
		params->paramFetch(params, id, true, room) :
		&params->params[id - 1];
	if (!OidIsValid(param->ptype) || (param->pflags & PARAM_FLAG_CONST) == 0 ||
		get_typlen(param->ptype) != -1)
		return NULL;
	return param;
}

bool
ribbon_argument_known(PlannerInfo *root, Node *node, NullableDatum *value)
{
	Const *constant = (Const *) ribbon_argument_strip(node);
	Param *param = (Param *) constant;
	ParamExternData room;
	const ParamExternData *found = NULL;

	if (IsA(constant, Const) && constant->constlen == -1)
	{
		value->value = constant->constvalue;
		value->isnull = constant->constisnull;
		return true;
	}
	if (IsA(param, Param) && param->paramkind == PARAM_EXTERN)
		found = find_parameter(root, param->paramid, &room);
	if (found == NULL)
		return false;
	value->value = found->value;
	value->isnull = found->isnull;
	return true;
}

/* Is it a pointer to the TOAST table of a temporary table? */
static bool
is_in_temporary(struct varlena *datum)
{
	varatt_external pointer;

	if (!VARATT_IS_EXTERNAL_ONDISK(datum))
		return false;
	VARATT_EXTERNAL_GET_POINTER(pointer, datum);
	return get_rel_persistence(pointer.va_toastrelid) == RELPERSISTENCE_TEMP;
}

/*
 * Has this parameter the same bytes?  It may be a variable with a pointer to a
 * stored filter.
 */
static bool
has_bytes(const ParamExternData *param, struct varlena *constant)
{
	struct varlena *datum;
	struct varlena *plain;
	size_t nbytes = VARSIZE_ANY_EXHDR(constant);
	bool same;

	if (param == NULL || param->isnull ||
		toast_raw_datum_size(param->value) != nbytes + VARHDRSZ)
		return false;
	datum = (struct varlena *) DatumGetPointer(param->value);
	if (is_in_temporary(datum))
		return false;
	plain = ribbon_detoast(datum);
	same = memcmp(VARDATA_ANY(plain), VARDATA_ANY(constant), nbytes) == 0;
	if (plain != datum)
		pfree(plain);
	return same;
}

/* The parameter that a constant is the value of, or the constant. */
static Node *
restore_parameter(PlannerInfo *root, Const *constant)
{
	ParamListInfo params = root->glob->boundParams;
	struct varlena *datum =
		(struct varlena *) DatumGetPointer(constant->constvalue);

	if (params == NULL || constant->constisnull || constant->constlen != -1 ||
		VARSIZE_ANY_EXHDR(datum) < MIN_BYTES)
		return (Node *) constant;
	for (int id = 1; id <= params->numParams; id++)
	{
		ParamExternData room;
		const ParamExternData *found = find_parameter(root, id, &room);
		Param *param;

		if (!has_bytes(found, datum))
			continue;
		param = makeNode(Param);
		param->paramkind = PARAM_EXTERN;
		param->paramid = id;
		param->paramtype = found->ptype;
		param->paramtypmod = -1;
		param->paramcollid = get_typcollation(found->ptype);
		param->location = -1;
		return applyRelabelType((Node *) param, constant->consttype, -1,
								InvalidOid, COERCE_EXPLICIT_CAST, -1, false);
	}
	return (Node *) constant;
}

/*
 * A walker: does this query read a temporary table?  Any CTE may stand for any
 * other, as names may be hidden by others; those of all levels are looked at.
 * Without a root, none is.
 */
static bool
is_temporary(Node *node, void *root)
{
	RangeTblEntry *rte = (RangeTblEntry *) node;
	ListCell *cell;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, is_temporary, root,
								 QTW_EXAMINE_RTES_BEFORE);
	if (!IsA(node, RangeTblEntry))
		return expression_tree_walker(node, is_temporary, root);
	if (rte->rtekind == RTE_CTE)
		for (PlannerInfo *level = root; level != NULL;
			 level = level->parent_root)
			foreach (cell, level->parse->cteList)
				if (is_temporary(lfirst_node(CommonTableExpr, cell)->ctequery,
								 NULL))
					return true;
	return rte->rtekind == RTE_RELATION &&
		get_rel_persistence(rte->relid) == RELPERSISTENCE_TEMP;
}

/*
 * Of a query q with the only column c: SELECT c::bytea || '' FROM q.  That is
 * the same value, but in memory.
 */
static Query *
select_in_memory(Query *query)
{
	Oid type =
		exprType((Node *) linitial_node(TargetEntry, query->targetList)->expr);
	Query *outer = makeNode(Query);
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblRef *from = makeNode(RangeTblRef);
	Node *column = (Node *) makeVar(1, 1, type, -1, InvalidOid, 0);
	Node *empty = (Node *) makeConst(BYTEAOID, -1, InvalidOid, -1,
									 PointerGetDatum(cstring_to_text("")),
									 false, false);
	Node *bytes = (Node *) makeRelabelType((Expr *) column, BYTEAOID, -1,
										   InvalidOid, COERCE_EXPLICIT_CAST);
	Node *joined = (Node *) makeFuncExpr(F_BYTEACAT, BYTEAOID,
										 list_make2(bytes, empty), InvalidOid,
										 InvalidOid, COERCE_EXPLICIT_CALL);
	Expr *result = (Expr *) makeRelabelType((Expr *) joined, type, -1,
											InvalidOid, COERCE_EXPLICIT_CAST);

	IncrementVarSublevelsUp((Node *) query, 1, 1);
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = query;
	rte->eref = makeAlias("stored", list_make1(makeString(pstrdup("value"))));
	rte->inFromCl = true;
	from->rtindex = 1;
	outer->commandType = CMD_SELECT;
	outer->querySource = query->querySource;
	outer->canSetTag = query->canSetTag;
	outer->rtable = list_make1(rte);
	outer->jointree = makeFromExpr(list_make1(from), NULL);
	outer->targetList = list_make1(makeTargetEntry(result, 1, NULL, false));
	return outer;
}

/* A walker for expressions: subqueries that are executed once. */
static bool
keep_in_memory(Node *node, void *root)
{
	SubLink *link = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && link->subLinkType == EXPR_SUBLINK &&
		!contain_vars_of_level(link->subselect, 1) &&
		is_temporary(link->subselect, root))
		link->subselect = (Node *) select_in_memory(castNode(Query,
															 link->subselect));
	return expression_tree_walker(node, keep_in_memory, root);
}

Node *
ribbon_argument_mend(PlannerInfo *root, Node *filter)
{
	if (IsA(filter, Const))
		return restore_parameter(root, (Const *) filter);
	if (root->glob->parallelModeOK)
		keep_in_memory(filter, root);
	return filter;
}

Node *
ribbon_argument_column(Node *result)
{
	Node *call = ribbon_argument_strip(result);

	if (IsA(call, FuncExpr) && ((FuncExpr *) call)->funcid == F_BYTEACAT)
		return linitial(((FuncExpr *) call)->args);
	return result;
}
