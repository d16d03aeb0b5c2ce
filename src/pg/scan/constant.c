/*
 * constant.c - a large constant of a plan, and how it gets to parallel workers
 *
 * A plan is sent to workers as text, with a decimal number for each byte of a
 * Const: that of a filter of 2.5 MB takes longer to write and read than the
 * query does.  So a node of ours stands for it.  Writing it copies the bytes to
 * shared memory, once for all partitions that are probed with them, and writes
 * where; workers use them there.  They go with the memory context in which they
 * were written, that of a query whose workers have ended.  Where the server has
 * no segment to spare, the Const is written after all.
 */
#include "scan/scan.h"

#include "access/parallel.h"
#include "nodes/makefuncs.h"
#include "nodes/readfuncs.h"
#include "storage/dsm.h"
#include "utils/datum.h"

#define NAME "RibbonConstant"

typedef struct RibbonConstant
{
	ExtensibleNode node;
	Const *constant;
} RibbonConstant;

static dsm_segment *segment;		  /* that was written last, or NULL */
static MemoryContext segment_context; /* that it lives as long as */

Node *
ribbon_constant_wrap(Const *constant)
{
	RibbonConstant *node = (RibbonConstant *) newNode(sizeof(RibbonConstant),
													  T_ExtensibleNode);

	node->node.extnodename = NAME;
	node->constant = constant;
	return (Node *) node;
}

Const *
ribbon_constant_unwrap(Node *node)
{
	return ((RibbonConstant *) node)->constant;
}

static void
copy_constant(ExtensibleNode *to, const ExtensibleNode *from)
{
	((RibbonConstant *) to)->constant =
		copyObject(((const RibbonConstant *) from)->constant);
}

static void
detach(void *old)
{
	dsm_detach(old);
	if (old == segment)
		segment = NULL;
}

/* The segment that has a constant, or NULL if the server has none to spare. */
static dsm_segment *
share(const Const *constant)
{
	const void *bytes = DatumGetPointer(constant->constvalue);
	size_t size = VARSIZE_ANY(bytes);
	MemoryContextCallback *end;
	dsm_segment *shared;

	if (segment != NULL && segment_context == CurrentMemoryContext &&
		dsm_segment_map_length(segment) >= size &&
		memcmp(dsm_segment_address(segment), bytes, size) == 0)
		return segment;
	end = palloc(sizeof(MemoryContextCallback));
	shared = dsm_create(size, DSM_CREATE_NULL_IF_MAXSEGMENTS);
	if (shared == NULL)
		return NULL;
	memcpy(dsm_segment_address(shared), bytes, size);
	dsm_pin_mapping(shared);
	*end = (MemoryContextCallback){.func = detach, .arg = shared};
	MemoryContextRegisterResetCallback(CurrentMemoryContext, end);
	segment_context = CurrentMemoryContext;
	return segment = shared;
}

static void
write_constant(StringInfo text, const ExtensibleNode *node)
{
	const Const *constant = ((const RibbonConstant *) node)->constant;
	dsm_segment *shared = share(constant);

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
static void
read_constant(ExtensibleNode *node)
{
	RibbonConstant *constant = (RibbonConstant *) node;
	int length;
	char *handle;
	Oid type = (Oid) strtoul(pg_strtok(&length), &handle, 10);
	dsm_handle number = (dsm_handle) strtoul(handle + 1, NULL, 10);
	dsm_segment *found;
	Datum value;

	if (number == DSM_HANDLE_INVALID)
	{
		constant->constant = nodeRead(NULL, 0);
		return;
	}
	found = dsm_find_mapping(number);
	if (found == NULL)
	{
		found = dsm_attach(number);
		if (found == NULL)
			elog(ERROR, "a constant of the plan is not in shared memory");
		dsm_pin_mapping(found);
	}
	value = PointerGetDatum(dsm_segment_address(found));
	if (!IsParallelWorker())
		value = datumCopy(value, false, -1);
	constant->constant = makeConst(type, -1, InvalidOid, -1, value, false,
								   false);
}

/* (No two plans are compared.) */
const ExtensibleNodeMethods ribbon_constant_methods = {
	.extnodename = NAME,
	.node_size = sizeof(RibbonConstant),
	.nodeCopy = copy_constant,
	.nodeOut = write_constant,
	.nodeRead = read_constant,
};
