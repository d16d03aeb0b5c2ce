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
read_timetz(ribbon_key *key, RibbonCursor *text)
{
	uint64_t form[2];
	int64_t time;
	int32_t zone;

	if (!ribbon_civil_timetz(text, &time, &zone))
		return RIBBON_ERROR_KEY;
	form[0] = ribbon_little64((uint64_t) time);
	form[1] = ribbon_little64((uint32_t) zone);
	*key = ribbon_key_canonical(RIBBON_KEY_TIMETZ, form, sizeof(form[0]) + 4);
	return RIBBON_SUCCESS;
}

/* Of one of the types whose canonical bytes are a number, little-endian. */
static ribbon_status
read_number(ribbon_key *key, int key_type, RibbonCursor *text)
{
	int64_t number = 0;
	uint64_t word = 0;
	double real = 0;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_OID:
			valid = ribbon_cursor_natural(text, UINT32_MAX, &word) &&
				ribbon_cursor_at_end(text);
			break;
		case RIBBON_KEY_XID8:
			/* with zeros in front the server takes it for octal */
			valid = (ribbon_cursor_is_word(text, "0") ||
					 ribbon_cursor_next(text) != '0') &&
				ribbon_cursor_natural(text, UINT64_MAX, &word) &&
				ribbon_cursor_at_end(text);
			break;
		case RIBBON_KEY_LSN:
			valid = read_lsn(text, &word) && ribbon_cursor_at_end(text);
			break;
		case RIBBON_KEY_FLOAT:
			valid = ribbon_float_read(text, &real);
			word = ribbon_canonical_float(real);
			break;
		default:
			valid = ribbon_value_read(key_type, text, &number);
			word = (uint64_t) number;
	}
	word = ribbon_little64(word);
	if (!valid)
		return RIBBON_ERROR_KEY;
	*key = ribbon_key_canonical(key_type, &word,
								ribbon_key_class_size(key_type));
	return RIBBON_SUCCESS;
}

/* As ribbon_key_parse, but without words for what is no text. */
static ribbon_status
read_key(ribbon_key *key, int key_type, RibbonCursor *text)
{
	if (key_type == RIBBON_KEY_BYTES)
		return ribbon_bytes_key(key, text);
	ribbon_cursor_trim(text);
	switch (key_type)
	{
		case RIBBON_KEY_INTEGER:
		case RIBBON_KEY_BOOL:
		case RIBBON_KEY_DATE:
		case RIBBON_KEY_TIME:
		case RIBBON_KEY_TIMESTAMP:
		case RIBBON_KEY_TIMESTAMPTZ:
		case RIBBON_KEY_OID:
		case RIBBON_KEY_XID8:
		case RIBBON_KEY_LSN:
		case RIBBON_KEY_FLOAT:
			return read_number(key, key_type, text);
		case RIBBON_KEY_UUID:
		case RIBBON_KEY_MACADDR:
		case RIBBON_KEY_MACADDR8:
			return ribbon_few_bytes_key(key, key_type, text);
		case RIBBON_KEY_NUMERIC:
			return ribbon_numeric_key(key, text);
		case RIBBON_KEY_INTERVAL:
			return ribbon_interval_key(key, text);
		case RIBBON_KEY_INET:
			return ribbon_inet_key(key, text);
		case RIBBON_KEY_TIMETZ:
			return read_timetz(key, text);
		case RIBBON_KEY_BIT:
			return ribbon_bits_key(key, text);
		case RIBBON_KEY_JSONB:
			return ribbon_json_key(key, text);
		default:
			return RIBBON_ERROR_KEY_TYPE;
	}
}

ribbon_status
ribbon_key_parse(ribbon_key *key, int key_type, const char *text, size_t size)
{
	const char *name = ribbon_key_type_name(key_type);
	RibbonCursor rest = {text, text + size};
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
	status = read_key(key, key_type, &rest);
	if (status == RIBBON_ERROR_KEY)
		return ribbon_error_set(status, "no key of type %s: \"%s\"", name,
								ribbon_text_show(text, size, shown));
	if (status == RIBBON_ERROR_KEY_TYPE)
		return ribbon_error_set(status,
								"keys of type %s cannot be read from text",
								name != NULL ? name : "unknown");
	return status;
}
