/*
 * keyread.c - keys from texts, as PostgreSQL writes and reads them
 */
#include "keyread.h"

#include "base/bits.h"
#include "keys/classes.h"
#include "values/utf8.h"

/* Two halves of 32 bits, in hexadecimal. */
static bool
read_lsn(RibbonCursor *text, uint64_t *lsn)
{
	uint64_t high, low;

	if (ribbon_cursor_digits(text, 16, 8, &high) == 0 ||
		!ribbon_cursor_skip(text, '/') ||
		ribbon_cursor_digits(text, 16, 8, &low) == 0)
		return false;
	*lsn = high << 32 | low;
	return true;
}

static ribbon_status
timetz_key(ribbon_key *key, RibbonCursor text)
{
	uint64_t form[2];
	int64_t time;
	int32_t zone;

	if (!ribbon_civilread_timetz(text, &time, &zone))
		return RIBBON_ERROR_KEY;
	form[0] = ribbon_little64((uint64_t) time);
	form[1] = ribbon_little64((uint32_t) zone);
	*key = ribbon_key_canonical(RIBBON_KEY_TIMETZ, form, sizeof(form[0]) + 4);
	return RIBBON_SUCCESS;
}

/*
 * As ribbon_key_parse, but without words for what is no text.  The canonical
 * bytes of most types are a number, little-endian.
 */
static ribbon_status
read_key(ribbon_key *key, int key_type, const char *text, size_t size)
{
	RibbonCursor rest = ribbon_cursor_trimmed(text, size);
	uint64_t number = 0;
	double real;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_INTEGER:
		case RIBBON_KEY_BOOL:
		case RIBBON_KEY_DATE:
		case RIBBON_KEY_TIME:
		case RIBBON_KEY_TIMESTAMP:
		case RIBBON_KEY_TIMESTAMPTZ:
			valid = ribbon_valuetext_read(key_type, rest, (int64_t *) &number);
			break;
		case RIBBON_KEY_OID:
			valid = ribbon_cursor_natural(&rest, UINT32_MAX, &number) &&
				ribbon_cursor_at_end(&rest);
			break;
		case RIBBON_KEY_XID8:
			/* with zeros in front the server takes it for octal */
			valid = (ribbon_cursor_next(&rest) != '0' ||
					 ribbon_cursor_size(&rest) == 1) &&
				ribbon_cursor_natural(&rest, UINT64_MAX, &number) &&
				ribbon_cursor_at_end(&rest);
			break;
		case RIBBON_KEY_LSN:
			valid = read_lsn(&rest, &number) && ribbon_cursor_at_end(&rest);
			break;
		case RIBBON_KEY_FLOAT:
			valid = ribbon_floatread_number(rest, &real);
			if (valid)
				number = ribbon_canonical_float(real);
			break;
		case RIBBON_KEY_BYTES:
			return ribbon_bytesread_bytea(key,
										  (RibbonCursor){text, text + size});
		case RIBBON_KEY_UUID:
		case RIBBON_KEY_MACADDR:
		case RIBBON_KEY_MACADDR8:
			return ribbon_bytesread_fixed(key, key_type, rest);
		case RIBBON_KEY_NUMERIC:
			return ribbon_numeric_key(key, rest);
		case RIBBON_KEY_INTERVAL:
			return ribbon_intervalread_key(key, rest);
		case RIBBON_KEY_INET:
			return ribbon_netread_key(key, rest);
		case RIBBON_KEY_TIMETZ:
			return timetz_key(key, rest);
		case RIBBON_KEY_BIT:
			return ribbon_bytesread_bits(key, rest);
		case RIBBON_KEY_JSONB:
			return ribbon_jsonread_key(key, rest);
		default:
			return RIBBON_ERROR_KEY_TYPE;
	}
	if (!valid)
		return RIBBON_ERROR_KEY;
	number = ribbon_little64(number);
	*key = ribbon_key_canonical(key_type, &number,
								ribbon_key_class_size(key_type));
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_key_parse(ribbon_key *key, int key_type, const char *text, size_t size)
{
	const char *name;
	char shown[RIBBON_SHOWN + 1];
	ribbon_status status;

	if (key_type == RIBBON_KEY_TEXT || key_type == RIBBON_KEY_CHAR ||
		key_type == RIBBON_KEY_ENUM)
	{
		if (!ribbon_is_utf8(text, size))
			return ribbon_error_set(RIBBON_ERROR_KEY,
									"a key is not text in UTF-8 without "
									"zero bytes");
		*key = key_type == RIBBON_KEY_CHAR ?
			ribbon_key_char(text, size) :
			ribbon_key_canonical(key_type, text, size);
		return RIBBON_SUCCESS;
	}
	status = read_key(key, key_type, text, size);
	if (status == RIBBON_SUCCESS)
		return status;
	name = ribbon_key_type_name(key_type);
	if (status == RIBBON_ERROR_KEY)
		return ribbon_error_set(status, "no key of type %s: \"%s\"", name,
								ribbon_error_show(text, size, shown));
	if (status == RIBBON_ERROR_KEY_TYPE)
		return ribbon_error_set(status,
								"keys of type %s cannot be read from text",
								name != NULL ? name : "unknown");
	return status;
}
