/*
 * keyread.c - keys from texts, as PostgreSQL writes and reads them
 */
#include "keys.h"
#include "parse.h"

#include "keys/canonical.h"
#include "keys/classes.h"
#include "values/utf8.h"

static bool
parse_lsn(const char *text, size_t size, uint64_t *lsn)
{
	uint64_t halves[2] = {0, 0};
	size_t digits[2] = {0, 0};
	int half = 0;

	for (size_t i = 0; i < size; i++)
	{
		if (text[i] == '/' && half == 0)
			half = 1;
		else if (ribbon_hex_digit(text[i]) < 0)
			return false;
		else
		{
			halves[half] = halves[half] << 4 |
				(uint64_t) ribbon_hex_digit(text[i]);
			if (++digits[half] > 8)
				return false;
		}
	}
	*lsn = halves[0] << 32 | halves[1];
	return digits[0] > 0 && digits[1] > 0;
}

static bool
parse_timetz(ribbon_key *key, const char *text, size_t size)
{
	uint64_t form[2];
	int64_t time;
	int32_t zone;

	if (!ribbon_civil_timetz(text, size, &time, &zone))
		return false;
	form[0] = ribbon_little64((uint64_t) time);
	form[1] = ribbon_little64((uint32_t) zone);
	*key = ribbon_key_canonical(RIBBON_KEY_TIMETZ, form, sizeof(form[0]) + 4);
	return true;
}

/* Of one of the types whose canonical bytes are a number, little-endian. */
static bool
parse_number(ribbon_key *key, int key_type, const char *text, size_t size)
{
	int64_t number = 0;
	uint64_t word = 0;
	double real = 0;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_OID:
			valid = ribbon_parse_unsigned(text, size, UINT32_MAX, &word);
			break;
		case RIBBON_KEY_XID8:
			/* with zeros in front the server takes it for octal */
			valid = (size < 2 || text[0] != '0') &&
				ribbon_parse_unsigned(text, size, UINT64_MAX, &word);
			break;
		case RIBBON_KEY_LSN:
			valid = parse_lsn(text, size, &word);
			break;
		case RIBBON_KEY_FLOAT:
			valid = ribbon_parse_float(text, size, &real);
			word = ribbon_canonical_float(real);
			break;
		default:
			valid = ribbon_parse_number(key_type, text, size, &number);
			word = (uint64_t) number;
	}
	word = ribbon_little64(word);
	if (valid)
		*key = ribbon_key_canonical(key_type, &word,
									ribbon_key_class_size(key_type));
	return valid;
}

static ribbon_status
refuse_key(int key_type, const char *text, size_t size)
{
	char shown[RIBBON_SHOWN + 1];

	return ribbon_error_set(RIBBON_ERROR_KEY, "no key of type %s: \"%s\"",
							ribbon_key_type_name(key_type),
							ribbon_parse_show(text, size, shown));
}

static ribbon_status
refuse_type(int key_type)
{
	const char *name = ribbon_key_type_name(key_type);

	return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
							"keys of type %s cannot be read from text",
							name != NULL ? name : "unknown");
}

ribbon_status
ribbon_key_parse(ribbon_key *key, int key_type, const char *text, size_t size)
{
	const char *whole = text;
	size_t whole_size = size;
	ribbon_status status = RIBBON_SUCCESS;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_TEXT:
		case RIBBON_KEY_CHAR:
		case RIBBON_KEY_ENUM:
			if (!ribbon_is_utf8(text, size))
				return ribbon_error_set(RIBBON_ERROR_KEY,
										"a key is not text in UTF-8 without "
										"zero bytes");
			*key = key_type == RIBBON_KEY_CHAR ?
				ribbon_key_char(text, size) :
				ribbon_key_canonical(key_type, text, size);
			return RIBBON_SUCCESS;
		case RIBBON_KEY_BYTES:
			status = ribbon_bytes_key(key, text, size, &valid);
			return valid || status != RIBBON_SUCCESS ?
				status :
				refuse_key(key_type, text, size);
	}

	ribbon_parse_trim(&text, &size);
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
			valid = parse_number(key, key_type, text, size);
			break;
		case RIBBON_KEY_UUID:
		case RIBBON_KEY_MACADDR:
		case RIBBON_KEY_MACADDR8:
			valid = ribbon_few_bytes_key(key, key_type, text, size);
			break;
		case RIBBON_KEY_NUMERIC:
			status = ribbon_numeric_key(key, text, size, &valid);
			break;
		case RIBBON_KEY_INTERVAL:
			valid = ribbon_interval_key(key, text, size);
			break;
		case RIBBON_KEY_INET:
			valid = ribbon_inet_key(key, text, size);
			break;
		case RIBBON_KEY_TIMETZ:
			valid = parse_timetz(key, text, size);
			break;
		case RIBBON_KEY_BIT:
			status = ribbon_bits_key(key, text, size, &valid);
			break;
		case RIBBON_KEY_JSONB:
			status = ribbon_json_key(key, text, size, &valid);
			break;
		default:
			return refuse_type(key_type);
	}
	return status != RIBBON_SUCCESS || valid ?
		status :
		refuse_key(key_type, whole, whole_size);
}
