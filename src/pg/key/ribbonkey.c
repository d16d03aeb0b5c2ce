/*
 * ribbonkey.c - the type ribbonkey
 *
 * Keys are hashed where they are, and their hashes go elsewhere: to the machine
 * that builds the filter, or to a column that others may read.  ribbonkey.h has
 * the bytes.
 *
 * Besides, here is the input function of ribbonliteral, the type of an untyped
 * literal or parameter where a function takes both a ribbonkey and a key of any
 * type: it is text, and nothing else becomes one.
 */
#include "key/ribbonkey.h"

#include "common/hashfn.h"
#include "key/keyclass.h"
#include "libpq/pqformat.h"
#include "server/server.h"
#include "utils/builtins.h"

#define TEXT_LENGTH (2 + 2 * RIBBONKEY_BYTES)

#define GETARG_BYTES(n) ((uint8 *) PG_GETARG_POINTER(n))

uint8 *
ribbonkey_make(int key_class, RibbonKeyHashes hashes)
{
	uint32 first = pg_hton32((uint32) key_class);
	uint64 words[2] = {pg_hton64(hashes.first), pg_hton64(hashes.second)};
	uint8 *bytes = palloc(RIBBONKEY_BYTES);

	memcpy(bytes, &first, sizeof(first));
	memcpy(bytes + sizeof(first), words, sizeof(words));
	return bytes;
}

int
ribbonkey_check(const uint8 *bytes)
{
	int key_class = ribbonkey_class(bytes);
	const char *objection = ribbon_keyclass_objection(key_class);

	if (objection != NULL)
		ribbon_error_corrupt(RIBBON_SQL_KEY, objection);
	return key_class;
}

/* Bytes from outside as a ribbonkey; NULL if they are reported, and none. */
static uint8 *
validate_key(uint8 *bytes, const char *objection, Node *escontext)
{
	if (objection == NULL)
		objection = ribbon_keyclass_objection(ribbonkey_class(bytes));
	return objection == NULL ||
			ribbon_error_invalid(RIBBON_SQL_KEY, objection, escontext) ?
		bytes :
		NULL;
}

RIBBON_SQL_ENTRY(ribbonkey_in)
{
	const char *input = PG_GETARG_CSTRING(0);
	Node *escontext = fcinfo->context;
	uint8 *bytes = palloc(RIBBONKEY_BYTES);

	if (strlen(input) != TEXT_LENGTH || input[0] != '\\' || input[1] != 'x' ||
		!ribbon_hex_decode(input + 2, TEXT_LENGTH - 2, bytes))
		ereturn(escontext, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s", "ribbonkey"),
				 errdetail("Expected \\x and %d hexadecimal digits.",
						   TEXT_LENGTH - 2),
				 errhint("To make one of a key, use ribbon_key(key).")));
	PG_RETURN_POINTER(validate_key(bytes, NULL, escontext));
}

RIBBON_SQL_ENTRY(ribbonkey_out)
{
	char *text = palloc(TEXT_LENGTH + 1);

	memcpy(text, "\\x", 2);
	hex_encode((const char *) GETARG_BYTES(0), RIBBONKEY_BYTES, text + 2);
	text[TEXT_LENGTH] = '\0';
	PG_RETURN_CSTRING(text);
}

RIBBON_SQL_ENTRY(ribbonkey_recv)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	uint8 *bytes = palloc(RIBBONKEY_BYTES);
	const char *objection = NULL;

	if (message->len - message->cursor == RIBBONKEY_BYTES)
		pq_copymsgbytes(message, (char *) bytes, RIBBONKEY_BYTES);
	else
		objection = "they are not " CppAsString2(RIBBONKEY_BYTES);
	PG_RETURN_POINTER(validate_key(bytes, objection, NULL));
}

RIBBON_SQL_ENTRY(ribbonkey_send)
{
	StringInfoData message;

	pq_begintypsend(&message);
	pq_sendbytes(&message, (char *) GETARG_BYTES(0), RIBBONKEY_BYTES);
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}

/* Of all bytes, for anyone may make a ribbonkey of any hash. */
RIBBON_SQL_FUNCTION(ribbonkey_hash, hash_any(GETARG_BYTES(0), RIBBONKEY_BYTES));

RIBBON_SQL_FUNCTION(ribbonkey_hash_extended,
					hash_any_extended(GETARG_BYTES(0), RIBBONKEY_BYTES,
									  (uint64) PG_GETARG_INT64(1)));

/* As that of text. */
RIBBON_SQL_FUNCTION(ribbonliteral_in, textin(fcinfo));

static inline int
compare_keys(FunctionCallInfo fcinfo)
{
	return memcmp(GETARG_BYTES(0), GETARG_BYTES(1), RIBBONKEY_BYTES);
}

RIBBON_SQL_FUNCTION(ribbonkey_cmp, Int32GetDatum(compare_keys(fcinfo)));
RIBBON_SQL_FUNCTION(ribbonkey_eq, BoolGetDatum(compare_keys(fcinfo) == 0));
RIBBON_SQL_FUNCTION(ribbonkey_ne, BoolGetDatum(compare_keys(fcinfo) != 0));
RIBBON_SQL_FUNCTION(ribbonkey_lt, BoolGetDatum(compare_keys(fcinfo) < 0));
RIBBON_SQL_FUNCTION(ribbonkey_le, BoolGetDatum(compare_keys(fcinfo) <= 0));
RIBBON_SQL_FUNCTION(ribbonkey_gt, BoolGetDatum(compare_keys(fcinfo) > 0));
RIBBON_SQL_FUNCTION(ribbonkey_ge, BoolGetDatum(compare_keys(fcinfo) >= 0));
