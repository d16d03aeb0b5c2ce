/*
 * sharedconst.c - a large constant of a plan, which workers find in shared
 * memory
 *
 * A plan is sent to workers as text, with a decimal number for each byte of a
 * Const: that of a filter of 2.5 MB takes longer to write and read than the
 * query does.  So writing one of these nodes, for workers or for
 * debug_print_plan, copies the bytes to shared memory, once for all partitions
 * that are probed with them, and writes where; workers use them there.  (The
 * query's own shared memory has a part only for nodes whose workers share a
 * scan, and is made after the plan is written.)  They go with the memory
 * context in which they were written, that of a query whose workers have ended.
 * What is small is written as a Const after all, and so is all else if the
 * server has all the segments that it may have.  (If it has no memory for one,
 * it throws, as it does for the segment of any parallel query.)
 */
#include "scan/scan.h"

#include "access/parallel.h"
#include "nodes/makefuncs.h"
#include "nodes/memnodes.h"
#include "nodes/readfuncs.h"
#include "storage/dsm.h"
#include "utils/datum.h"

#define NAME "RibbonSharedConst"

/* Less is written as text: there are not many segments. */
#define MIN_SHARED_BYTES ((size_t) 16 * 1024)

typedef struct SharedConst
{
	ExtensibleNode node;
	Const *constant;
} SharedConst;

Node *
ribbon_sharedconst_make(Const *constant)
{
	SharedConst *shared = (SharedConst *) newNode(sizeof(SharedConst),
												  T_ExtensibleNode);

	shared->node.extnodename = NAME;
	shared->constant = constant;
	return (Node *) shared;
}

Const *
ribbon_sharedconst_get(const Node *node)
{
	return node == NULL ? NULL : ((const SharedConst *) node)->constant;
}

static void
copy_node(ExtensibleNode *to, const ExtensibleNode *from)
{
	((SharedConst *) to)->constant =
		copyObject(((const SharedConst *) from)->constant);
}

/* The callback of a memory context that a segment lives as long as. */
static void
drop_segment(void *segment)
{
	dsm_detach(segment);
}

/* The segment that has these bytes, of the current context; or NULL. */
static dsm_segment *
find_segment(const void *bytes, size_t size)
{
	for (const MemoryContextCallback *callback =
			 CurrentMemoryContext->reset_cbs;
		 callback != NULL; callback = callback->next)
		if (callback->func == drop_segment &&
			dsm_segment_map_length(callback->arg) >= size &&
			memcmp(dsm_segment_address(callback->arg), bytes, size) == 0)
			return callback->arg;
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
	dsm_segment *segment = find_segment(bytes, size);
	MemoryContextCallback *callback;

	if (segment != NULL || size < MIN_SHARED_BYTES)
		return segment;
	callback = palloc(sizeof(MemoryContextCallback));
	segment = dsm_create(size, DSM_CREATE_NULL_IF_MAXSEGMENTS);
	if (segment == NULL)
		return NULL;
	memcpy(dsm_segment_address(segment), bytes, size);
	dsm_pin_mapping(segment);
	callback->func = drop_segment;
	callback->arg = segment;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	return segment;
}

static void
write_node(StringInfo text, const ExtensibleNode *node)
{
	const Const *constant = ((const SharedConst *) node)->constant;
	dsm_segment *shared = share_constant(constant);

	appendStringInfo(text, " %u:%u ", constant->consttype,
					 shared == NULL ? DSM_HANDLE_INVALID :
									  dsm_segment_handle(shared));
	if (shared == NULL)
		outNode(text, constant);
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

static void
read_node(ExtensibleNode *node)
{
	int length;
	char *end;
	Oid type = (Oid) strtoul(pg_strtok(&length), &end, 10);
	dsm_handle handle = (dsm_handle) strtoul(end + 1, NULL, 10);

	((SharedConst *) node)->constant = handle == DSM_HANDLE_INVALID ?
		nodeRead(NULL, 0) :
		find_constant(type, handle);
}

/* No two plans are compared; if they were, they might differ. */
static bool
is_same_node(const ExtensibleNode *a, const ExtensibleNode *b)
{
	return a == b;
}

const ExtensibleNodeMethods ribbon_sharedconst_methods = {
	.extnodename = NAME,
	.node_size = sizeof(SharedConst),
	.nodeCopy = copy_node,
	.nodeEqual = is_same_node,
	.nodeOut = write_node,
	.nodeRead = read_node,
};
