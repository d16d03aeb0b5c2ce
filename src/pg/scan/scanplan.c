/*
 * scanplan.c - a path becomes a plan, which says of its conditions which is
 * which
 *
 * The server copies plans and sends them to workers, so all of it is in lists.
 */
#include "scan/scan.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "optimizer/restrictinfo.h"
#include "type/type.h"

/* Constants of fewer bytes stay in the condition. */
#define MIN_SUMMARY_BYTES 500

/*
 * If the filter is a large constant, which EXPLAIN would print, it is returned;
 * and it becomes a text that says what it is, in the condition, too.
 */
static Node *
take_constant(Node **clause, Expr **filter)
{
	Const *constant = (Const *) *filter;
	char *summary;
	Expr *text;

	if (!IsA(constant, Const) || constant->constisnull ||
		toast_raw_datum_size(constant->constvalue) < MIN_SUMMARY_BYTES)
		return NULL;
	summary = ribbon_datum_describe(constant->constvalue);
	if (summary == NULL)
		return NULL;
	text = (Expr *) makeConst(UNKNOWNOID, -1, InvalidOid, -2,
							  CStringGetDatum(summary), false, false);
	text = (Expr *) makeRelabelType(text, constant->consttype, -1, InvalidOid,
									COERCE_IMPLICIT_CAST);
	*clause = ribbon_clause_replace_filter(*clause, *filter, text);
	*filter = text;
	return ribbon_sharedconst_make(constant);
}

/*
 * The probe is the first of the clauses that is one: that which path.c found
 * when they had no order yet.  They may have been rewritten since, for a
 * partition.
 */
Plan *
ribbon_scanplan_make(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
					 List *tlist, List *clauses, List *custom_plans)
{
	CustomScan *plan = makeNode(CustomScan);
	List *quals = extract_actual_clauses(clauses, false);
	List *ahead = NIL;
	const RibbonProbe *probe;
	RibbonProbeClause found;
	Node *constant;
	int at = 0;

	for (; at < list_length(quals) &&
		 !ribbon_clause_is_probe(root, list_nth(quals, at), rel->relid, &found);
		 at++)
		if (ribbon_clause_cannot_fail(list_nth(quals, at)))
			ahead = lappend_int(ahead, at);
	if (at == list_length(quals))
		elog(ERROR, "no probe among the conditions of a scan");
	constant = take_constant((Node **) &lfirst(list_nth_cell(quals, at)),
							 &found.filter);
	probe = &found.probe;
	plan->scan.plan.targetlist = tlist;
	plan->scan.plan.qual = quals;
	plan->scan.scanrelid = rel->relid;
	plan->flags = path->flags;
	plan->custom_exprs = list_make1(found.filter);
	plan->custom_private =
		list_make4(list_make4_int(at, (int) probe->type, probe->is_membership,
								  probe->column),
				   list_make2_oid(probe->key_type, probe->collation), ahead,
				   constant);
	plan->methods = GetCustomScanMethods(path->methods->CustomName, false);
	return &plan->scan.plan;
}

RibbonScanPlan
ribbon_scanplan_read(const CustomScan *plan)
{
	const List *numbers = linitial(plan->custom_private);
	const List *oids = lsecond(plan->custom_private);

	return (RibbonScanPlan){
		.at = linitial_int(numbers),
		.probe = {.type = (RibbonSqlType) lsecond_int(numbers),
				  .is_membership = lthird_int(numbers) != 0,
				  .column = (AttrNumber) lfourth_int(numbers),
				  .key_type = linitial_oid(oids),
				  .collation = lsecond_oid(oids)},
		.ahead = lthird(plan->custom_private),
		.constant = ribbon_sharedconst_get(lfourth(plan->custom_private)),
	};
}
