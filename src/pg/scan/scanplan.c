/*
 * scanplan.c - a path becomes a plan, which says of its conditions which is
 * which; and how it gets to parallel workers
 *
 * A plan is sent to workers as text, with a decimal number for each byte of a
 * Const: that of a filter of 2.5 MB takes longer to write and read than the
 * query does.  So a large one is not among the conditions but here.  Writing
 * it, for workers or for debug_print_plan, copies the bytes to shared memory,
 * once for all partitions that are probed with them, and writes where; workers
 * use them there.  (The query's own shared memory has a part only for nodes
 * whose workers share a scan, and is made after the plan is written.)  They go
 * with the memory context in which they were written, that of a query whose
 * workers have ended.  What is small is written as a Const after all, and so is
 * all else if the server has all the segments that it may have.  (If it has no
 * memory for one, it throws, as it does for the segment of any parallel query.)
 */
#include "scan/scan.h"

#include "access/detoast.h"
#include "access/parallel.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/readfuncs.h"
#include "optimizer/restrictinfo.h"
#include "storage/dsm.h"
#include "type/type.h"
#include "utils/datum.h"

#define NAME "RibbonScanPlan"

/* Constants of fewer bytes stay in the condition. */
#define MIN_SUMMARY_BYTES 500

/* Less is written as text: there are not many segments. */
#define MIN_SHARED_BYTES ((size_t) 16 * 1024)

/*
 * A segment with a constant.  This is in the memory context that the segment
 * lives as long as, whose callback removes both.
 */
typedef struct Shared
{
	MemoryContextCallback callback;
	struct Shared *next;
	MemoryContext context;
	dsm_segment *segment;
} Shared;

static Shared *all_shared = NULL;

/*
 * If the filter is a large constant, which EXPLAIN would print, it is returned;
 * and it becomes a text that says what it is, in the condition, too.
 */
static Const *
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
	return constant;
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
	RibbonScanPlan *our = (RibbonScanPlan *) newNode(sizeof(RibbonScanPlan),
													 T_ExtensibleNode);
	List *quals = extract_actual_clauses(clauses, false);
	RibbonProbeClause found;
	int at = 0;

	for (; at < list_length(quals) &&
		 !ribbon_clause_is_probe(root, list_nth(quals, at), rel->relid, &found);
		 at++)
		if (ribbon_clause_cannot_fail(list_nth(quals, at)))
			our->ahead = lappend_int(our->ahead, at);
	if (at == list_length(quals))
		elog(ERROR, "no probe among the conditions of a scan");
	our->node.extnodename = NAME;
	our->at = at;
	our->probe = found.probe;
	our->filter = take_constant((Node **) &lfirst(list_nth_cell(quals, at)),
								&found.filter);
	plan->scan.plan.targetlist = tlist;
	plan->scan.plan.qual = quals;
	plan->scan.scanrelid = rel->relid;
	plan->flags = path->flags;
	plan->custom_exprs = list_make1(found.filter);
	plan->custom_private = list_make1(our);
	plan->methods = &ribbon_scan_methods;
	return &plan->scan.plan;
}

static void
copy_plan(ExtensibleNode *to, const ExtensibleNode *from)
{
	RibbonScanPlan *copy = (RibbonScanPlan *) to;
	const RibbonScanPlan *plan = (const RibbonScanPlan *) from;

	copy->at = plan->at;
	copy->probe = plan->probe;
	copy->ahead = copyObject(plan->ahead);
	copy->filter = copyObject(plan->filter);
}

static void
drop_shared(void *old)
{
	Shared **at = &all_shared;

	while (*at != old)
		at = &(*at)->next;
	*at = (*at)->next;
	dsm_detach(((Shared *) old)->segment);
}

/* The segment that has these bytes in this context, or NULL. */
static dsm_segment *
find_shared(const void *bytes, size_t size)
{
	for (const Shared *s = all_shared; s != NULL; s = s->next)
		if (s->context == CurrentMemoryContext &&
			dsm_segment_map_length(s->segment) >= size &&
			memcmp(dsm_segment_address(s->segment), bytes, size) == 0)
			return s->segment;
	return NULL;
}

/*
 * The segment that has a constant; NULL if that is small, or the server has
 * none to spare.
 */
static dsm_segment *
share_constant(const Const *constant)
{
	const void *bytes = DatumGetPointer(constant->constvalue);
	size_t size = VARSIZE_ANY(bytes);
	dsm_segment *segment = find_shared(bytes, size);
	Shared *shared;

	if (segment != NULL || size < MIN_SHARED_BYTES)
		return segment;
	shared = palloc(sizeof(Shared));
	segment = dsm_create(size, DSM_CREATE_NULL_IF_MAXSEGMENTS);
	if (segment == NULL)
		return NULL;
	memcpy(dsm_segment_address(segment), bytes, size);
	dsm_pin_mapping(segment);
	*shared = (Shared){{.func = drop_shared, .arg = shared},
					   all_shared,
					   CurrentMemoryContext,
					   segment};
	all_shared = shared;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &shared->callback);
	return segment;
}

static void
write_plan(StringInfo text, const ExtensibleNode *node)
{
	const RibbonScanPlan *plan = (const RibbonScanPlan *) node;
	const RibbonProbe *probe = &plan->probe;
	const Const *filter = plan->filter;
	dsm_segment *shared = filter == NULL ? NULL : share_constant(filter);

	appendStringInfo(text, " %d ", plan->at);
	outNode(text, plan->ahead);
	appendStringInfo(text, " %u:%u %d %d %d %u %u ",
					 shared == NULL ? 0 : filter->consttype,
					 shared == NULL ? DSM_HANDLE_INVALID :
									  dsm_segment_handle(shared),
					 (int) probe->type, probe->is_membership, probe->column,
					 probe->key_type, probe->collation);
	if (shared == NULL)
		outNode(text, filter);
}

/*
 * A worker uses the bytes where they are until it ends.  A server that tests
 * its plans by writing and reading them reads in the process that has written.
 */
static Const *
find_constant(Oid type, dsm_handle handle)
{
	dsm_segment *segment = dsm_find_mapping(handle);
	Datum value;

	if (segment == NULL)
	{
		segment = dsm_attach(handle);
		if (segment == NULL)
			elog(ERROR, "a constant of the plan is not in shared memory");
		dsm_pin_mapping(segment);
	}
	value = PointerGetDatum(dsm_segment_address(segment));
	if (!IsParallelWorker())
		value = datumCopy(value, false, -1);
	return makeConst(type, -1, InvalidOid, -1, value, false, false);
}

static uint32
read_number(void)
{
	int length;

	return (uint32) strtoul(pg_strtok(&length), NULL, 10);
}

static void
read_plan(ExtensibleNode *node)
{
	RibbonScanPlan *plan = (RibbonScanPlan *) node;
	RibbonProbe *probe = &plan->probe;
	int length;
	char *end;
	Oid type;
	dsm_handle handle;

	plan->at = (int) read_number();
	plan->ahead = nodeRead(NULL, 0);
	type = (Oid) strtoul(pg_strtok(&length), &end, 10);
	handle = (dsm_handle) strtoul(end + 1, NULL, 10);
	probe->type = (RibbonSqlType) read_number();
	probe->is_membership = read_number() != 0;
	probe->column = (AttrNumber) read_number();
	probe->key_type = read_number();
	probe->collation = read_number();
	plan->filter = handle == DSM_HANDLE_INVALID ? nodeRead(NULL, 0) :
												  find_constant(type, handle);
}

/* No two plans are compared; if they were, they might differ. */
static bool
is_same_plan(const ExtensibleNode *a, const ExtensibleNode *b)
{
	return a == b;
}

const ExtensibleNodeMethods ribbon_scanplan_methods = {
	.extnodename = NAME,
	.node_size = sizeof(RibbonScanPlan),
	.nodeCopy = copy_plan,
	.nodeEqual = is_same_plan,
	.nodeOut = write_plan,
	.nodeRead = read_plan,
};
