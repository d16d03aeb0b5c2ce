/*
 * ribbonkeys.c - the type ribbonkeys: to and from text, bytea and the wire
 *
 * The text form is base64 of the bytes (RFC 4648, in one line), for engines
 * that send states as text; the binary form is the bytes.  Every way in reads
 * all hashes.
 */
#include "key/ribbonkey.h"

#include "access/detoast.h"
#include "key/keyclass.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/builtins.h"

#define BATCH 1024

/* Read the header of nbytes, of which value has that.  false if it is none. */
static bool
try_open(RibbonKeysCursor *cursor, struct varlena *value, size_t nbytes)
{
	const RibbonKeysHead *head = &cursor->head;

	return ribbon_keysbytes_open(cursor, (const uint8_t *) VARDATA_ANY(value),
								 nbytes) &&
		(!head->builds ||
		 (ribbon_params_check(&head->params) == RIBBON_OK &&
		  head->params.kind != RIBBON_EXACT)) &&
		(head->params.key_class == 0 ||
		 ribbon_keyclass_objection(head->params.key_class) == NULL);
}

void
ribbonkeys_open(RibbonKeysCursor *cursor, struct varlena *value)
{
	if (!try_open(cursor, value, VARSIZE_ANY_EXHDR(value)))
		ribbon_error_corrupt(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION);
}

bool
ribbonkeys_each(RibbonKeysCursor *cursor, RibbonTakeElements take, void *arg)
{
	uint64 hashes[BATCH];
	size_t n;

	do
	{
		CHECK_FOR_INTERRUPTS();
		if (!ribbon_keysbytes_read(cursor, hashes, BATCH, &n))
			return false;
		if (take != NULL)
			(void) take(arg, hashes, n);
	} while (n > 0);
	return true;
}

/* Are the bytes those of a set, to the last? */
static bool
is_set(struct varlena *value)
{
	RibbonKeysCursor cursor;

	return try_open(&cursor, value, VARSIZE_ANY_EXHDR(value)) &&
		ribbonkeys_each(&cursor, NULL, NULL);
}

/* If not, report it, which may return. */
static bool
validate_keys(struct varlena *value, Node *escontext)
{
	return is_set(value) ||
		ribbon_error_invalid(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION, escontext);
}

RIBBON_SQL_ENTRY(ribbonkeys_in)
{
	const char *input = PG_GETARG_CSTRING(0);
	Node *escontext = fcinfo->context;
	size_t ndigits = strlen(input);
	struct varlena *value = palloc(VARHDRSZ + ndigits / 4 * 3);
	uint8 *end = ribbon_base64_decode(input, ndigits, (uint8 *) VARDATA(value));

	if (end == NULL)
		ereturn(escontext, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s", "ribbonkeys"),
				 errdetail("Expected only base64 digits.")));
	SET_VARSIZE(value, end - (uint8 *) value);
	if (!validate_keys(value, escontext))
		return (Datum) 0;
	PG_RETURN_POINTER(value);
}

RIBBON_SQL_ENTRY(ribbonkeys_out)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	size_t ndigits = RIBBON_BASE64_DIGITS(nbytes);
	char *text;

	ribbon_error_check_text(RIBBON_SQL_KEYS, nbytes);
	text = palloc(ndigits + 1);
	*ribbon_base64_encode((const uint8 *) VARDATA_ANY(value), nbytes,
						  text) = '\0';
	PG_RETURN_CSTRING(text);
}

RIBBON_SQL_ENTRY(ribbonkeys_recv)
{
	Datum value = bytearecv(fcinfo);

	(void) validate_keys((struct varlena *) DatumGetPointer(value), NULL);
	return value;
}

RIBBON_SQL_ENTRY(ribbonkeys_from_bytea)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);

	(void) validate_keys(value, NULL);
	PG_RETURN_POINTER(value);
}

/* ribbon_cardinality(ribbonkeys): a stored one is not read behind its header */
RIBBON_SQL_ENTRY(ribbonkeys_cardinality)
{
	size_t nbytes = toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ;
	struct varlena *head = PG_GETARG_BYTEA_P_SLICE(0, 0,
												   RIBBON_KEYS_MAX_HEADER);
	RibbonKeysCursor cursor;

	if (VARSIZE_ANY_EXHDR(head) < Min(nbytes, RIBBON_KEYS_MAX_HEADER) ||
		!try_open(&cursor, head, nbytes))
		ribbon_error_corrupt(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION);
	PG_RETURN_INT64((int64) cursor.head.n);
}

/* ribbon_check(ribbonkeys) */
RIBBON_SQL_ENTRY(ribbonkeys_check)
{
	if (!is_set(RIBBON_GETARG_VARLENA_PP(0)))
		ribbon_error_corrupt(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION);
	PG_RETURN_BOOL(true);
}
