/*
 * io.c - ribbonfilter and ribbonmap from and to text, bytea and the wire
 *
 * The text form is \x and the hexadecimal digits of the bytes; the binary form
 * is the bytes.  Every way in passes through validate(), which is what lets
 * all other functions trust a value after a cheap look at its header.
 */
#include "type/type.h"

#include "key/key.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "value/lookup.h"

/* Bytes between two looks for interrupts; even. */
#define PIECE_BYTES (8 * 1024 * 1024)

PG_FUNCTION_INFO_V1(ribbon_in);
PG_FUNCTION_INFO_V1(ribbon_out);
PG_FUNCTION_INFO_V1(ribbon_recv);
PG_FUNCTION_INFO_V1(ribbon_from_bytea);
PG_FUNCTION_INFO_V1(ribbon_map_in);
PG_FUNCTION_INFO_V1(ribbon_map_out);
PG_FUNCTION_INFO_V1(ribbon_map_recv);
PG_FUNCTION_INFO_V1(ribbon_map_from_bytea);

static Datum from_text(RibbonSqlType type, char *input, Node *escontext);
static char *to_text(RibbonSqlType type, struct varlena *value);
static struct varlena *receive(RibbonSqlType type, StringInfo buf);
static bool validate(RibbonSqlType type, struct varlena *value,
					 Node *escontext);
static const char *objection_to_filter(const uint8_t *bytes, size_t nbytes);
static const char *objection_to_map(const uint8_t *bytes, size_t nbytes);
static bool decode_hex(const char *digits, size_t ndigits, uint8_t *bytes);
static int hex_digit(char c);

Datum
ribbon_in(PG_FUNCTION_ARGS)
{
	return from_text(RIBBON_SQL_FILTER, PG_GETARG_CSTRING(0), fcinfo->context);
}

Datum
ribbon_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(to_text(RIBBON_SQL_FILTER, RIBBON_GETARG_VARLENA_PP(0)));
}

Datum
ribbon_recv(PG_FUNCTION_ARGS)
{
	StringInfo buf = (StringInfo) PG_GETARG_POINTER(0);

	PG_RETURN_POINTER(receive(RIBBON_SQL_FILTER, buf));
}

Datum
ribbon_from_bytea(PG_FUNCTION_ARGS)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);

	(void) validate(RIBBON_SQL_FILTER, value, NULL);
	PG_RETURN_POINTER(value);
}

Datum
ribbon_map_in(PG_FUNCTION_ARGS)
{
	return from_text(RIBBON_SQL_MAP, PG_GETARG_CSTRING(0), fcinfo->context);
}

Datum
ribbon_map_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(to_text(RIBBON_SQL_MAP, RIBBON_GETARG_VARLENA_PP(0)));
}

Datum
ribbon_map_recv(PG_FUNCTION_ARGS)
{
	StringInfo buf = (StringInfo) PG_GETARG_POINTER(0);

	PG_RETURN_POINTER(receive(RIBBON_SQL_MAP, buf));
}

Datum
ribbon_map_from_bytea(PG_FUNCTION_ARGS)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);

	(void) validate(RIBBON_SQL_MAP, value, NULL);
	PG_RETURN_POINTER(value);
}

static Datum
from_text(RibbonSqlType type, char *input, Node *escontext)
{
	size_t length = strlen(input);
	size_t nbytes = length / 2 - 1; /* after the \x */
	struct varlena *result;

	if (length < 2 || length % 2 != 0 || input[0] != '\\' || input[1] != 'x')
		ereturn(escontext, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s",
						ribbon_sqltype_name(type)),
				 errdetail("Expected \\x and an even number of hexadecimal digits.")));

	result = palloc(nbytes + VARHDRSZ);
	SET_VARSIZE(result, nbytes + VARHDRSZ);

	if (!decode_hex(input + 2, length - 2, (uint8_t *) VARDATA(result)))
		ereturn(escontext, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s",
						ribbon_sqltype_name(type)),
				 errdetail("There is a character that is not a hexadecimal digit.")));

	if (!validate(type, result, escontext))
		return (Datum) 0;

	return PointerGetDatum(result);
}

static char *
to_text(RibbonSqlType type, struct varlena *value)
{
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	char *result;

	if (nbytes > (MaxAllocSize - 3) / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s of %zu bytes is too large for text output",
						ribbon_sqltype_name(type), nbytes),
				 errhint("Transfer it in binary format.")));

	result = palloc(2 * nbytes + 3);
	result[0] = '\\';
	result[1] = 'x';
	for (size_t at = 0; at < nbytes; at += PIECE_BYTES)
	{
		hex_encode(VARDATA_ANY(value) + at, Min(PIECE_BYTES, nbytes - at),
				   result + 2 + 2 * at);
		CHECK_FOR_INTERRUPTS();
	}
	result[2 + 2 * nbytes] = '\0';
	return result;
}

static struct varlena *
receive(RibbonSqlType type, StringInfo buf)
{
	int nbytes = buf->len - buf->cursor;
	struct varlena *result = palloc(nbytes + VARHDRSZ);

	SET_VARSIZE(result, nbytes + VARHDRSZ);
	for (int at = 0; at < nbytes; at += PIECE_BYTES)
	{
		pq_copymsgbytes(buf, VARDATA(result) + at,
						Min(PIECE_BYTES, nbytes - at));
		CHECK_FOR_INTERRUPTS();
	}
	(void) validate(type, result, NULL);
	return result;
}

/* Is it a value of this type?  If not, report it, which may return. */
static bool
validate(RibbonSqlType type, struct varlena *value, Node *escontext)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	const char *objection = type == RIBBON_SQL_FILTER ?
		objection_to_filter(bytes, nbytes) :
		objection_to_map(bytes, nbytes);

	if (objection == NULL)
		return true;

	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid %s", ribbon_sqltype_name(type)),
			 errdetail("The bytes were rejected: %s.", objection)));
}

/* Why these are not the bytes of a filter; NULL if they are. */
static const char *
objection_to_filter(const uint8_t *bytes, size_t nbytes)
{
	RibbonFilter filter;
	RibbonStatus status = ribbon_open(bytes, nbytes, &filter);

	if (status != RIBBON_OK)
		return ribbon_status_text(status);
	return ribbon_keyclass_objection(filter.key_class);
}

/* The same of a map, with all of its dictionary. */
static const char *
objection_to_map(const uint8_t *bytes, size_t nbytes)
{
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonMap map;
	RibbonStatus status = ribbon_map_open(bytes, nbytes, &map, planes);
	const char *objection;

	if (status != RIBBON_OK)
		return ribbon_status_text(status);
	objection = ribbon_keyclass_objection(map.key_class);
	if (objection == NULL)
		objection = ribbon_lookup_objection(&map);
	if (objection == NULL)
		objection = ribbon_lookup_check(&map);
	return objection;
}

/* false if there is anything but hexadecimal digits */
static bool
decode_hex(const char *digits, size_t ndigits, uint8_t *bytes)
{
	for (size_t i = 0; i < ndigits; i += 2)
	{
		int high = hex_digit(digits[i]);
		int low = hex_digit(digits[i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = (uint8_t) (high << 4 | low);
		if (i % PIECE_BYTES == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return true;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
