/*
 * typehead.c - the head of a dictionary, as it is at the moment
 *
 * What a type is called and made of can be changed by any command, and so can
 * the labels of an enum.  A plan may outlast commands: a cursor is read between
 * them, and functions that it calls consist of them.  So what has been found
 * out is good for a moment: one command in one subtransaction, whose end may
 * undo what commands have done, though that is no command.
 *
 * Within that, only another session can alter a type that we use.  Attributes
 * are looked at again when it has sent messages.
 */
#include "value/value.h"

#include "access/xact.h"
#include "storage/proc.h"
#include "storage/sinval.h"

static bool is_now(const RibbonTypeHead *head);

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
	if (likely(is_now(head)))
		return false;

	head->nbytes = 0; /* should there be an error */
	head->transaction = ribbon_local_transaction();
	head->subtransaction = GetCurrentSubTransactionId();
	head->command = GetCurrentCommandId(false);
	head->messages = SharedInvalidMessageCounter;
	head->nbytes = ribbon_valuetype_head(head->type, head->bytes);
	return true;
}

bool
ribbon_typehead_has_changed(RibbonTypeHead *head)
{
	uint8 bytes[RIBBON_DICTIONARY_HEAD];
	uint32 nbytes;

	if (likely(ribbon_dictionary_names(head->bytes[0]) == 0 ||
			   (head->messages == SharedInvalidMessageCounter && is_now(head))))
		return false;
	head->messages = SharedInvalidMessageCounter;
	nbytes = ribbon_valuetype_head(head->type, bytes);
	return nbytes != head->nbytes || memcmp(bytes, head->bytes, nbytes) != 0;
}

static bool
is_now(const RibbonTypeHead *head)
{
	return head->nbytes > 0 && head->command == GetCurrentCommandId(false) &&
		head->subtransaction == GetCurrentSubTransactionId() &&
		head->transaction == ribbon_local_transaction();
}
