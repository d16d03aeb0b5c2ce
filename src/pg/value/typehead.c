/*
 * typehead.c - the head of a dictionary, as it is at the moment
 *
 * What a type is called can be changed by any command, and so can the labels of
 * an enum.  A plan may outlast commands: a cursor is read between them, and
 * functions that it calls consist of them.  So what has been found out is good
 * for a moment: one command in one subtransaction, whose end may undo what
 * commands have done, though that is no command.
 */
#include "value/value.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "storage/proc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

static bool is_now(const RibbonTypeHead *head);
static uint32 put_name(uint8 *out, const char *name);

void
ribbon_typehead_init(RibbonTypeHead *head, Oid type, MemoryContext context)
{
	memset(head, 0, sizeof(*head));
	head->type = type;
	head->bytes = MemoryContextAlloc(context, RIBBON_DICTIONARY_HEAD);
}

bool
ribbon_typehead_renew(RibbonTypeHead *head)
{
	HeapTuple tuple;
	Form_pg_type form;
	char *namespace;

	if (likely(is_now(head)))
		return false;

	head->nbytes = 0; /* should there be an error */
	ribbon_valuetype_check_exists(head->type);
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(head->type));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", head->type);
	form = (Form_pg_type) GETSTRUCT(tuple);
	namespace = get_namespace_name(form->typnamespace);
	if (namespace == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", form->typnamespace);
	head->transaction = ribbon_local_transaction();
	head->subtransaction = GetCurrentSubTransactionId();
	head->command = GetCurrentCommandId(false);
	head->nbytes = put_name(head->bytes, namespace);
	head->nbytes += put_name(head->bytes + head->nbytes,
							 NameStr(form->typname));
	ReleaseSysCache(tuple);
	return true;
}

static bool
is_now(const RibbonTypeHead *head)
{
	return head->nbytes > 0 && head->command == GetCurrentCommandId(false) &&
		head->subtransaction == GetCurrentSubTransactionId() &&
		head->transaction == ribbon_local_transaction();
}

/* In UTF-8, its length first (RIBBON_VALUETYPE_NAME); the size. */
static uint32
put_name(uint8 *out, const char *name)
{
	const char *text = pg_server_to_any(name, (int) strlen(name), PG_UTF8);
	size_t length = strlen(text);

	Assert(length <= PG_UINT8_MAX);
	out[0] = (uint8) length;
	memcpy(out + 1, text, length);
	return 1 + (uint32) length;
}
