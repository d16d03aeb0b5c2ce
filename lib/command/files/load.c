/*
 * load.c - a filter from a file
 *
 * A file is mapped, so that nothing is read but what is asked for.  A pipe or
 * device, and what is left of standard input, is read, as long as its bytes may
 * be the first ones of a filter.
 */
#define _FILE_OFFSET_BITS 64
#include "load.h"

#include "compressed.h"
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

/* NULL: these are the first bytes of a filter, if they are not all. */
static ribbon_filter *
open_filter(const uint8_t *bytes, size_t size, const char *name, bool is_all)
{
	const char *how = compression_of(bytes, size);
	ribbon_filter *filter = NULL;
	ribbon_status status;

	if (how != NULL)
		die("\"%s\" is compressed: use %s to make a file of it", name, how);
	status = ribbon_filter_open_bytes(&filter, bytes, size);
	if (status != RIBBON_SUCCESS &&
		(is_all || status != RIBBON_ERROR_TRUNCATED))
		die("\"%s\" is no filter or map: %s", name, ribbon_error_text());
	return filter;
}

/* All bytes of what cannot be mapped, and may have no end. */
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
			if (form_is_raw(bytes, *size))
				ribbon_filter_close(open_filter(bytes, *size, name, false));
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
	size_t size = 0;
	uint8_t *decoded = NULL;

	memset(loaded, 0, sizeof(*loaded));
	if (is_input)
		name = "standard input"; /* in messages */
	if (fd < 0 || fstat(fd, &stat_of) != 0)
		die_errno("could not open \"%s\"", name);
	if (S_ISREG(stat_of.st_mode) && stat_of.st_size > 0 &&
		lseek(fd, 0, SEEK_CUR) == 0)
	{
		if ((uint64_t) stat_of.st_size > SIZE_MAX / 2)
			die("\"%s\" is too large to be mapped", name);
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

	bytes = form_read(bytes, &size, name, &decoded);
	if (decoded != NULL)
	{
		free(loaded->allocated);
		loaded->allocated = decoded;
	}
	loaded->filter = open_filter(bytes, size, name, true);
}

void
unload(Loaded *loaded)
{
	ribbon_filter_close(loaded->filter);
	if (loaded->mapped != NULL)
		(void) munmap(loaded->mapped, loaded->mapped_size);
	free(loaded->allocated);
}
