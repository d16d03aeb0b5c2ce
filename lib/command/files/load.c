/*
 * load.c - a filter from a file
 *
 * A file is mapped, so that nothing is read but what is asked for.  A pipe or
 * device, and what is left of standard input, is read, as long as its bytes may
 * be the first ones of a filter.
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

/*
 * All bytes of what cannot be mapped, and may have no end, or as many as tell
 * that they are no filter; to be freed.  NULL, with a message, if that fails.
 */
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
			if (form_may_be_raw(bytes, *size))
			{
				ribbon_filter *filter = NULL;
				ribbon_status status = ribbon_filter_open_bytes(&filter, bytes,
																*size);

				ribbon_filter_close(filter);
				if (status != RIBBON_SUCCESS &&
					status != RIBBON_ERROR_TRUNCATED)
					return bytes;
			}
			capacity *= 2;
			bytes = need(realloc(bytes, capacity));
		}
		n = read(fd, bytes + *size, capacity - *size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
		{
			warn("could not read \"%s\": %s", name, strerror(errno));
			free(bytes);
			return NULL;
		}
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

/* What messages call a file. */
static const char *
shown_name(const char *name)
{
	return strcmp(name, "-") == 0 ? "standard input" : name;
}

/* The bytes of an open file, mapped or read; NULL, with a message, if not. */
static const uint8_t *
find_bytes(Loaded *loaded, int fd, const char *name, size_t *size)
{
	struct stat stat_of;
	void *bytes = NULL;

	if (fd < 0 || fstat(fd, &stat_of) != 0)
		warn("could not open \"%s\": %s", name, strerror(errno));
	else if (!S_ISREG(stat_of.st_mode) || stat_of.st_size == 0 ||
			 lseek(fd, 0, SEEK_CUR) != 0)
		loaded->allocated = bytes = read_all(fd, name, size);
	else if ((uint64_t) stat_of.st_size > SIZE_MAX / 2)
		warn("\"%s\" is too large to be mapped", name);
	else
	{
		*size = loaded->mapped_size = (size_t) stat_of.st_size;
		bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
		if (bytes == MAP_FAILED)
		{
			warn("could not map \"%s\": %s", name, strerror(errno));
			return NULL;
		}
		(void) signal(SIGBUS, end_by_bus);
		loaded->mapped = bytes;
	}
	return bytes;
}

int
load_any(Loaded *loaded, const char *name)
{
	bool is_input = strcmp(name, "-") == 0;
	int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	uint8_t *decoded = NULL;
	const uint8_t *bytes;
	ribbon_status status;
	size_t size = 0;

	memset(loaded, 0, sizeof(*loaded));
	name = shown_name(name);
	bytes = find_bytes(loaded, fd, name, &size);
	if (!is_input && fd >= 0)
		(void) close(fd);
	if (bytes != NULL)
		bytes = form_read(bytes, &size, name, &decoded);
	if (decoded != NULL)
	{
		free(loaded->allocated);
		loaded->allocated = decoded;
	}
	if (bytes == NULL)
		return STATUS_ERROR;
	status = ribbon_filter_open_bytes(&loaded->filter, bytes, size);
	if (status == RIBBON_ERROR_MEMORY)
		need_success(status);
	return status == RIBBON_SUCCESS ? STATUS_YES : STATUS_NO;
}

void
load(Loaded *loaded, const char *name)
{
	int status = load_any(loaded, name);

	if (status == STATUS_ERROR)
		exit(status);
	if (status == STATUS_NO)
		die("\"%s\" is no filter or map: %s", shown_name(name),
			ribbon_error_text());
}

void
die_of_key_type(const ribbon_filter *filter, const char *name, int key_type)
{
	die("the keys of \"%s\" are of type %s, not %s", name,
		key_type_name(ribbon_filter_key_type(filter)), key_type_name(key_type));
}

void
unload(Loaded *loaded)
{
	ribbon_filter_close(loaded->filter);
	if (loaded->mapped != NULL)
		(void) munmap(loaded->mapped, loaded->mapped_size);
	free(loaded->allocated);
}
