/*
 * forms.c - the forms in which files have the bytes of a filter
 *
 * The bytes themselves; \x and hexadecimal digits, or \b and base64 digits, as
 * psql and COPY show a ribbonfilter; or a row of COPY ... (FORMAT binary).
 */
#include "forms.h"

#include "compressed.h"
#include "command/base/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* COPY ... (FORMAT binary) begins with it, and with its zero byte. */
#define COPY_SIGNATURE "PGCOPY\n\377\r\n"

/* Bytes of hexadecimal digits that are made at a time. */
#define CHUNK 65536

static void
write_all(int fd, const char *name, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0)
	{
		ssize_t n = write(fd, at,
						  size < ((size_t) 1 << 30) ? size : (size_t) 1 << 30);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_errno("could not write to \"%s\"", name);
		at += n;
		size -= (size_t) n;
	}
}

static void
write_hex(int fd, const char *name, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *text = need(malloc(2 * CHUNK));

	write_all(fd, name, "\\x", 2);
	for (size_t i = 0; i < size; i += CHUNK)
	{
		size_t n = size - i < CHUNK ? size - i : CHUNK;

		for (size_t j = 0; j < n; j++)
		{
			text[2 * j] = digits[bytes[i + j] >> 4];
			text[2 * j + 1] = digits[bytes[i + j] & 15];
		}
		write_all(fd, name, text, 2 * n);
	}
	write_all(fd, name, "\n", 1);
	free(text);
}

/* Big-endian, as COPY's numbers are. */
static void
put_number(uint8_t *to, uint32_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t) (number >> 8 * (size - 1 - i));
}

/* A row of one column: signature, flags, length of more; 1, length; -1. */
static void
write_copy(int fd, const char *name, const void *bytes, size_t size)
{
	uint8_t head[sizeof(COPY_SIGNATURE) + 8 + 2 + 4] = COPY_SIGNATURE;
	uint8_t tail[2];

	if (size > INT32_MAX)
		die("a filter of %zu bytes is too large for COPY", size);
	put_number(head + 19, 1, 2);
	put_number(head + 21, (uint32_t) size, 4);
	put_number(tail, UINT16_MAX, 2);
	write_all(fd, name, head, sizeof(head));
	write_all(fd, name, bytes, size);
	write_all(fd, name, tail, sizeof(tail));
}

void
form_write(int form, int fd, const char *name, const void *bytes, size_t size)
{
	if (form == FORM_HEX)
		write_hex(fd, name, bytes, size);
	else if (form == FORM_COPY)
		write_copy(fd, name, bytes, size);
	else
		write_all(fd, name, bytes, size);
}

static bool
decode_hex(const uint8_t *text, size_t ntext, uint8_t *bytes, size_t *size)
{
	*size = ntext / 2;
	for (size_t i = 0; i < ntext; i++)
	{
		int digit = hex_digit((char) text[i]);

		if (digit < 0)
			return false;
		bytes[i / 2] = (uint8_t) (i % 2 == 0 ? digit << 4 :
											   bytes[i / 2] | digit);
	}
	return ntext % 2 == 0;
}

/* Of RFC 4648; bits that are of no byte are 0. */
static bool
decode_base64(const uint8_t *text, size_t ntext, uint8_t *bytes, size_t *size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int8_t worth[256];
	size_t npadding = 0;
	uint32_t bits = 0;

	memset(worth, -1, sizeof(worth));
	for (int i = 0; i < 64; i++)
		worth[(uint8_t) digits[i]] = (int8_t) i;
	while (npadding < 2 && npadding < ntext &&
		   text[ntext - npadding - 1] == '=')
		npadding++;
	*size = 0;
	for (size_t i = 0; i < ntext - npadding; i++)
	{
		if (worth[text[i]] < 0)
			return false;
		bits = bits << 6 | (uint32_t) worth[text[i]];
		if (i % 4 != 0)
			bytes[(*size)++] = (uint8_t) (bits >> (6 - i % 4 * 2));
	}
	return ntext % 4 == 0 && (bits & ((1U << 2 * npadding) - 1)) == 0;
}

/* Bytes from the digits behind a letter, up to the end of the line, or NULL. */
static uint8_t *
decode(const uint8_t *text, size_t ntext, const char *name, size_t *size)
{
	bool is_hex = *text++ == 'x';
	uint8_t *bytes;

	ntext--;
	while (ntext > 0 && (text[ntext - 1] == '\n' || text[ntext - 1] == '\r'))
		ntext--;
	bytes = need(malloc(ntext + 1));
	if (!(is_hex ? decode_hex : decode_base64)(text, ntext, bytes, size))
	{
		free(bytes);
		bytes = NULL;
		warn("\"%s\" begins with %s digits, but not all of it is", name,
			 is_hex ? "hexadecimal" : "base64");
	}
	return bytes;
}

static uint32_t
get_number(const uint8_t *from, unsigned size)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < size; i++)
		number = number << 8 | from[i];
	return number;
}

static const uint8_t *
refuse_copy(const char *name, const char *what)
{
	warn("\"%s\" is a binary COPY %s", name, what);
	return NULL;
}

/* The column of a binary COPY, and its size; or NULL. */
static const uint8_t *
find_copy(const uint8_t *bytes, const char *name, size_t *size)
{
	size_t at = sizeof(COPY_SIGNATURE) + 8;
	size_t more = *size >= at ? get_number(bytes + at - 4, 4) : *size;

	if (*size < at || *size - at < more || *size - at - more < 6)
		return refuse_copy(name, "without a row");
	at += more;
	if (get_number(bytes + at, 2) != 1)
		return refuse_copy(name, "of other than one column");
	more = get_number(bytes + at + 2, 4);
	at += 6;
	if (more > INT32_MAX)
		return refuse_copy(name, "of a NULL");
	if (*size - at < more + 2)
		return refuse_copy(name, "that is cut short");
	if (get_number(bytes + at + more, 2) != UINT16_MAX)
		return refuse_copy(name, "of more than one row");
	*size = more;
	return bytes + at;
}

/* Does COPY's binary form begin so? */
static bool
is_copy(const uint8_t *bytes, size_t size)
{
	return size >= sizeof(COPY_SIGNATURE) &&
		memcmp(bytes, COPY_SIGNATURE, sizeof(COPY_SIGNATURE)) == 0;
}

bool
form_may_be_raw(const uint8_t *bytes, size_t size)
{
	return size > 0 && bytes[0] != '\\' && !is_copy(bytes, size);
}

const uint8_t *
form_read(const uint8_t *bytes, size_t *size, const char *name,
		  uint8_t **decoded)
{
	/* COPY in text writes the backslash twice */
	size_t skip = *size > 3 && bytes[0] == '\\' && bytes[1] == '\\' ? 2 : 1;
	const char *how = compression_of(bytes, *size);

	if (how != NULL)
	{
		warn("\"%s\" is compressed: use %s to make a file of it", name, how);
		return NULL;
	}
	if (*size > 2 && bytes[0] == '\\' &&
		(bytes[skip] == 'x' || bytes[skip] == 'b'))
		return *decoded = decode(bytes + skip, *size - skip, name, size);
	if (is_copy(bytes, *size))
		return find_copy(bytes, name, size);
	return bytes;
}
