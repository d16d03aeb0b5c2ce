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
 */
#include "planner/planner.h"

#include "access/detoast.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "server/server.h"
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
 * Parameter number id, if its value holds for the plan and is a varlena; else
 * NULL.
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
	ParamExternData room;
	const ParamExternData *found = NULL;

	node = ribbon_argument_strip(node);
	if (IsA(node, Const) && ((Const *) node)->constlen == -1)
	{
		value->value = ((Const *) node)->constvalue;
		value->isnull = ((Const *) node)->constisnull;
		return true;
	}
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXTERN)
		found = find_parameter(root, ((Param *) node)->paramid, &room);
	if (found == NULL)
		return false;
	value->value = found->value;
	value->isnull = found->isnull;
	return true;
}

/*
 * Has this parameter the same bytes?  It may be a variable with a pointer to a
 * stored filter; but not to one of a temporary table, which is the leader's.
 */
static bool
has_bytes(const ParamExternData *param, struct varlena *constant)
{
	struct varlena *datum;
	struct varlena *plain;
	varatt_external pointer;
	size_t nbytes = VARSIZE_ANY_EXHDR(constant);
	bool same;

	if (param == NULL || param->isnull ||
		toast_raw_datum_size(param->value) != nbytes + VARHDRSZ)
		return false;
	datum = (struct varlena *) DatumGetPointer(param->value);
	if (VARATT_IS_EXTERNAL_ONDISK(datum))
	{
		VARATT_EXTERNAL_GET_POINTER(pointer, datum);
		if (get_rel_persistence(pointer.va_toastrelid) == RELPERSISTENCE_TEMP)
			return false;
	}
	plain = ribbon_detoast(datum);
	same = memcmp(VARDATA_ANY(plain), VARDATA_ANY(constant), nbytes) == 0;
	if (plain != datum)
		pfree(plain);
	return same;
}

Node *
ribbon_argument_restore(PlannerInfo *root, Const *constant)
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
