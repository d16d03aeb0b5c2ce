/*
 * digits.c - bytes to and from base64 digits (RFC 4648, section 4, one line),
 * and from hexadecimal ones
 *
 * The server's own functions take a byte at a time, and do not look for
 * interrupts; that of hexadecimal digits skips blanks, too, and throws.  Here
 * tables, made when they are needed, have the bits of a digit by where it
 * stands, and the two base64 digits of 12 bits.
 */
#include "server/server.h"

#include "keys/canonical.h"
#include "miscadmin.h"

/* Groups, of 3 bytes and 4 digits, between two looks for interrupts. */
#define PIECE_GROUPS (1024 * 1024)

#define NO_DIGIT (UINT32_C(1) << 31)

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static bool has_tables;
static char pairs[64 * 64][2];	/* the digits of 12 bits */
static uint32_t places[4][256]; /* the bits of a digit, by where it stands */
static uint8_t nibbles[256];	/* those of a hexadecimal one, else UINT8_MAX */

static void
make_tables(void)
{
	for (int i = 0; i < 64 * 64; i++)
	{
		pairs[i][0] = alphabet[i / 64];
		pairs[i][1] = alphabet[i % 64];
	}
	for (int place = 0; place < 4; place++)
	{
		for (int c = 0; c < 256; c++)
			places[place][c] = NO_DIGIT;
		for (uint32_t i = 0; i < 64; i++)
			places[place][(uint8_t) alphabet[i]] = i << (18 - 6 * place);
	}
	for (int c = 0; c < 256; c++)
		nibbles[c] = (uint8_t) ribbon_hex_digit((char) c);
	has_tables = true;
}

static inline void
encode_group(const uint8_t *bytes, char *digits)
{
	unsigned high = (unsigned) bytes[0] << 4 | bytes[1] >> 4;
	unsigned low = (bytes[1] & 15u) << 8 | bytes[2];

	memcpy(digits, pairs[high], 2);
	memcpy(digits + 2, pairs[low], 2);
}

/* The 24 bits of four digits; NO_DIGIT or more if one is none. */
static inline uint32_t
decode_group(const uint8_t *digits)
{
	return places[0][digits[0]] | places[1][digits[1]] | places[2][digits[2]] |
		places[3][digits[3]];
}

static inline void
store_group(uint8_t *bytes, uint32_t bits)
{
	bytes[0] = (uint8_t) (bits >> 16);
	bytes[1] = (uint8_t) (bits >> 8);
	bytes[2] = (uint8_t) bits;
}

char *
ribbon_base64_encode(const uint8_t *bytes, size_t nbytes, char *digits)
{
	size_t ngroups = nbytes / 3;
	size_t nlast = nbytes % 3;
	uint8_t last[3] = {0};

	if (!has_tables)
		make_tables();
	/* (to look for interrupts in the inner loop would take a fifth longer) */
	for (size_t done = 0; done < ngroups; done += PIECE_GROUPS)
	{
		size_t now = Min(PIECE_GROUPS, ngroups - done);

		CHECK_FOR_INTERRUPTS();
		for (size_t i = 0; i < now; i++, bytes += 3, digits += 4)
			encode_group(bytes, digits);
	}
	if (nlast > 0)
	{
		memcpy(last, bytes, nlast);
		encode_group(last, digits);
		memset(digits + nlast + 1, '=', 3 - nlast);
		digits += 4;
	}
	return digits;
}

/* The last group, with up to two '=' for bytes that are not there. */
static uint8_t *
decode_last(const char *digits, uint8_t *bytes)
{
	size_t npadding = digits[3] != '=' ? 0 : digits[2] != '=' ? 1 : 2;
	uint8_t group[4];
	uint8_t last[3];
	uint32_t bits;

	memcpy(group, digits, 4);
	memset(group + 4 - npadding, alphabet[0], npadding);
	bits = decode_group(group);
	/* bits of no byte are 0, so that no other digits stand for these bytes */
	if (bits >= NO_DIGIT || (bits & ((1u << 8 * npadding) - 1)) != 0)
		return NULL;
	store_group(last, bits);
	memcpy(bytes, last, 3 - npadding);
	return bytes + 3 - npadding;
}

uint8_t *
ribbon_base64_decode(const char *digits, size_t ndigits, uint8_t *bytes)
{
	const uint8_t *from = (const uint8_t *) digits;
	size_t ngroups = ndigits / 4;
	uint32_t all = 0;

	if (ndigits % 4 != 0)
		return NULL;
	if (ndigits == 0)
		return bytes;
	if (!has_tables)
		make_tables();
	for (size_t i = 0; i < ngroups - 1; i++, from += 4, bytes += 3)
	{
		uint32_t bits = decode_group(from);

		if (i % PIECE_GROUPS == 0)
			CHECK_FOR_INTERRUPTS();
		all |= bits;
		store_group(bytes, bits);
	}
	return all >= NO_DIGIT ? NULL : decode_last((const char *) from, bytes);
}

bool
ribbon_hex_decode(const char *digits, size_t ndigits, uint8_t *bytes)
{
	unsigned all = 0; /* without a branch, which would be mispredicted */

	if (!has_tables)
		make_tables();
	for (size_t i = 0; i < ndigits; i += 2)
	{
		unsigned high = nibbles[(uint8_t) digits[i]];
		unsigned low = nibbles[(uint8_t) digits[i + 1]];

		all |= high | low;
		bytes[i / 2] = (uint8_t) (high << 4 | low);
		if (i % RIBBON_PIECE_BYTES == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return all < 16;
}
