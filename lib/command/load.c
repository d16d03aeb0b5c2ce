/*
 * load.c - the bytes of a filter, in the forms that files have
 *
 * A file is mapped, so that nothing is read but what is asked for; a pipe is
 * read.  If it is not the bytes themselves, it is \x and hexadecimal digits, or
 * \b and base64 digits, as psql and COPY show a ribbonfilter, or a row of COPY
 * ... (FORMAT binary).
 */
#define _FILE_OFFSET_BITS 64
#include "load.h"

#include "forms.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t) 1 << 16)

/* All bytes of what cannot be mapped. */
static uint8_t *
read_all(int fd, const char *name, size_t *size)
{
	size_t capacity = FIRST_BYTES;
	uint8_t *bytes = need(malloc(capacity));

	*size = 0;
	for (;;)
	{
		ssize_t n;

		if (*size == capacity)
		{
			capacity *= 2;
			bytes = need(realloc(bytes, capacity));
		}
		n = read(fd, bytes + *size, capacity - *size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_errno("could not read \"%s\"", name);
		if (n == 0)
			return bytes;
		*size += (size_t) n;
	}
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

/* Bytes from the digits behind a letter, up to the end of the line. */
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
		die("\"%s\" begins with %s digits, but not all of it is", name,
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

/* The column of a binary COPY; its first byte is set, and its size. */
static const uint8_t *
find_copy(const uint8_t *bytes, const char *name, size_t *size)
{
	size_t at = sizeof(COPY_SIGNATURE) + 8;
	size_t more = *size >= at ? get_number(bytes + at - 4, 4) : *size;

	if (*size < at || *size - at < more || *size - at - more < 6)
		die("\"%s\" is a binary COPY without a row", name);
	at += more;
	if (get_number(bytes + at, 2) != 1)
		die("\"%s\" is a binary COPY of other than one column", name);
	more = get_number(bytes + at + 2, 4);
	at += 6;
	if (more > INT32_MAX)
		die("\"%s\" is a binary COPY of a NULL", name);
	if (*size - at < more + 2)
		die("\"%s\" is a binary COPY that is cut short", name);
	if (get_number(bytes + at + more, 2) != UINT16_MAX)
		die("\"%s\" is a binary COPY of more than one row", name);
	*size = more;
	return bytes + at;
}

/* Who makes a mapped file shorter takes away what is to be read. */
static void
end_by_bus(int signal_number)
{
	static const char message[] =
		"ribbon: a filter's file has become shorter, or cannot be read\n";
	ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void) signal_number;
	(void) written;
	output_abandon();
	_exit(STATUS_ERROR);
}

void
load(Loaded *loaded, const char *name)
{
	bool is_input = strcmp(name, "-") == 0;
	int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	struct stat stat_of;
	const uint8_t *bytes;
	const char *how;
	size_t size = 0;
	size_t skip;

	memset(loaded, 0, sizeof(*loaded));
	if (fd < 0 || fstat(fd, &stat_of) != 0)
		die_errno("could not open \"%s\"", name);
	if (S_ISREG(stat_of.st_mode) && stat_of.st_size > 0)
	{
		size = loaded->mapped_size = (size_t) stat_of.st_size;
		loaded->mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
		if (loaded->mapped == MAP_FAILED)
			die_errno("could not map \"%s\"", name);
		(void) signal(SIGBUS, end_by_bus);
		bytes = loaded->mapped;
	}
	else
		bytes = loaded->allocated = read_all(fd, name, &size);
	if (!is_input)
		(void) close(fd);

	/* COPY in text writes the backslash twice */
	skip = size > 3 && bytes[0] == '\\' && bytes[1] == '\\' ? 2 : 1;
	if (size > 2 && bytes[0] == '\\' &&
		(bytes[skip] == 'x' || bytes[skip] == 'b'))
	{
		uint8_t *decoded = decode(bytes + skip, size - skip, name, &size);

		free(loaded->allocated);
		bytes = loaded->allocated = decoded;
	}
	else if (size >= sizeof(COPY_SIGNATURE) &&
			 memcmp(bytes, COPY_SIGNATURE, sizeof(COPY_SIGNATURE)) == 0)
		bytes = find_copy(bytes, name, &size);
	how = compression_of(bytes, size);
	if (how != NULL)
		die("\"%s\" is compressed: use %s to make a file of it", name, how);
	if (ribbon_filter_open_bytes(&loaded->filter, bytes, size) !=
		RIBBON_SUCCESS)
		die("\"%s\" is no filter or map: %s", name, ribbon_error_text());
}

void
unload(Loaded *loaded)
{
	ribbon_filter_close(loaded->filter);
	if (loaded->mapped != NULL)
		(void) munmap(loaded->mapped, loaded->mapped_size);
	free(loaded->allocated);
}
