/*
 * io.c - ribbonfilter and ribbonmap from and to text, bytea and the wire
 *
 * The text form is \x and the hexadecimal digits of the bytes; where this would
 * exceed 1 GB, \b and base64, which is always read.  The binary form is the
 * bytes.  Every way in passes through validate_datum(), which is what lets all
 * other functions trust a datum after a cheap look at its header.
 */
#include "type/type.h"

#include "miscadmin.h"
#include "server/server.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "values/dictionary.h"

/*
 * Is it a filter or map of this type, with all of its dictionary?  If not,
 * report it, which may return.
 */
static bool
validate_datum(RibbonSqlType type, struct varlena *datum, Node *escontext)
{
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	RibbonFilter opened;
	RibbonStatus status;
	const char *objection;

	status = ribbon_open((const uint8_t *) VARDATA_ANY(datum),
						 VARSIZE_ANY_EXHDR(datum), &opened);
	objection = ribbon_datum_objection(type, status, &opened);
	if (objection == NULL)
	{
		status = ribbon_dictionary_check(&env, &opened);
		if (status != RIBBON_OK)
			objection = ribbon_status_text(status);
	}
	return objection == NULL ||
		ribbon_error_invalid(type, objection, escontext);
}

static Datum
from_text(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	const char *input = PG_GETARG_CSTRING(0);
	Node *escontext = fcinfo->context;
	bool is_hex = strncmp(input, "\\x", 2) == 0;
	bool is_base64 = strncmp(input, "\\b", 2) == 0;
	size_t ndigits = is_hex || is_base64 ? strlen(input + 2) : 0;
	struct varlena *result = palloc(VARHDRSZ +
									(is_hex ? ndigits / 2 : ndigits / 4 * 3));
	uint8 *bytes = (uint8 *) VARDATA(result);
	uint8 *end = NULL;

	if (is_base64)
		end = ribbon_base64_decode(input + 2, ndigits, bytes);
	else if (is_hex && ndigits % 2 == 0 &&
			 ribbon_hex_decode(input + 2, ndigits, bytes))
		end = bytes + ndigits / 2;
	if (end == NULL)
		ereturn(escontext, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s",
						ribbon_sqltype_name(type)),
				 errdetail("Expected \\x and an even number of hexadecimal digits, or \\b and base64 digits.")));

	SET_VARSIZE(result, VARHDRSZ + (end - bytes));
	if (!validate_datum(type, result, escontext))
		return (Datum) 0;

	return PointerGetDatum(result);
}

static Datum
to_text(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *datum = RIBBON_GETARG_VARLENA_PP(0);
	const char *bytes = VARDATA_ANY(datum);
	size_t nbytes = VARSIZE_ANY_EXHDR(datum);
	bool is_hex = nbytes <= (MaxAllocSize - 3) / 2;
	char *result;
	char *end;

	ribbon_error_check_text(type, nbytes);
	result = palloc(3 + (is_hex ? 2 * nbytes : RIBBON_BASE64_DIGITS(nbytes)));
	memcpy(result, is_hex ? "\\x" : "\\b", 2);
	end = result + 2;
	if (!is_hex)
		end = ribbon_base64_encode((const uint8 *) bytes, nbytes, end);
	for (size_t at = 0; is_hex && at < nbytes; at += RIBBON_PIECE_BYTES)
	{
		end += hex_encode(bytes + at, Min(RIBBON_PIECE_BYTES, nbytes - at),
						  end);
		CHECK_FOR_INTERRUPTS();
	}
	*end = '\0';
	PG_RETURN_CSTRING(result);
}

static Datum
from_message(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	Datum datum = bytearecv(fcinfo);

	(void) validate_datum(type, (struct varlena *) DatumGetPointer(datum),
						  NULL);
	return datum;
}

static Datum
from_bytea(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *datum = RIBBON_GETARG_VARLENA_PP(0);

	(void) validate_datum(type, datum, NULL);
	PG_RETURN_POINTER(datum);
}

RIBBON_SQL_PAIR(ribbon_in, ribbon_map_in, from_text);
RIBBON_SQL_PAIR(ribbon_out, ribbon_map_out, to_text);
RIBBON_SQL_PAIR(ribbon_recv, ribbon_map_recv, from_message);
RIBBON_SQL_PAIR(ribbon_from_bytea, ribbon_map_from_bytea, from_bytea);
