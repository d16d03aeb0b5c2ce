/*
 * tempfile.c - a temporary file for sets that do not fit into memory
 *
 * It is made when the first words are written.  It has no name, and so vanishes
 * by itself.
 */
#define _GNU_SOURCE		  /* mkostemp */
#define _FILE_OFFSET_BITS 64
#include "tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* 128 kB: a set of more words is cut, and its parts are sorted one by one. */
#define WHOLE_WORDS ((size_t) 16 * 1024)

/* Remember the first failure, which may be that of any thread. */
static RibbonStatus
fail_file(RibbonTempFile *file, int failed, const char *what)
{
	if (!__atomic_exchange_n(&file->has_failed, true, __ATOMIC_RELAXED))
	{
		file->failed = failed;
		file->what = what;
	}
	return RIBBON_BAD_FILE;
}

static RibbonStatus
create_file(RibbonTempFile *file)
{
	size_t room = strlen(file->directory) + sizeof("/ribbon.XXXXXX");
	char *name = malloc(room);
	int failed = 0;

	if (name == NULL)
		return RIBBON_OUT_OF_MEMORY;
	(void) snprintf(name, room, "%s/ribbon.XXXXXX", file->directory);
	file->fd = mkostemp(name, O_CLOEXEC);
	if (file->fd < 0)
		failed = errno;
	else
		(void) unlink(name);
	free(name);
	return failed == 0 ? RIBBON_OK :
						 fail_file(file, failed, "create a temporary file in");
}

static RibbonStatus
write_words(RibbonFile *base, uint64_t at, const uint64_t *words, size_t n)
{
	RibbonTempFile *file = (RibbonTempFile *) base;
	const char *bytes = (const char *) words;
	size_t left = n * sizeof(uint64_t);
	RibbonStatus status = file->fd < 0 ? create_file(file) : RIBBON_OK;

	if (status != RIBBON_OK)
		return status;
	for (uint64_t to = at * sizeof(uint64_t); left > 0;)
	{
		ssize_t done = pwrite(file->fd, bytes, left, (off_t) to);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return fail_file(file, done < 0 ? errno : ENOSPC,
							 "write a temporary file in");
		bytes += done;
		to += (uint64_t) done;
		left -= (size_t) done;
	}
	return RIBBON_OK;
}

static RibbonStatus
read_words(RibbonFile *base, uint32_t source, uint64_t at, uint64_t *words,
		   size_t n)
{
	RibbonTempFile *file = (RibbonTempFile *) base;
	char *bytes = (char *) words;
	size_t left = n * sizeof(uint64_t);

	(void) source;
	for (uint64_t from = at * sizeof(uint64_t); left > 0;)
	{
		ssize_t done = pread(file->fd, bytes, left, (off_t) from);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return fail_file(file, done < 0 ? errno : EIO,
							 "read a temporary file in");
		bytes += done;
		from += (uint64_t) done;
		left -= (size_t) done;
	}
	return RIBBON_OK;
}

void
ribbon_tempfile_init(RibbonTempFile *file)
{
	*file = (RibbonTempFile){.file = {.write = write_words,
									  .read = read_words,
									  .threads_read = true,
									  .whole_words = WHOLE_WORDS,
									  .env = ribbon_malloc_env},
							 .fd = -1};
}

void
ribbon_tempfile_set_memory(RibbonTempFile *file, uint64_t bytes)
{
	size_t most = bytes < SIZE_MAX / 2 ? (size_t) bytes : SIZE_MAX / 2;

	file->file.sort_words = most / (2 * sizeof(uint64_t));
}

ribbon_status
ribbon_tempfile_error(const RibbonTempFile *file)
{
	errno = file->failed;
	return ribbon_error_file(file->what, file->directory);
}

void
ribbon_tempfile_close(RibbonTempFile *file)
{
	ribbon_file_close(&file->file);
	if (file->fd >= 0)
		(void) close(file->fd);
	file->fd = -1;
	free(file->directory);
	file->directory = NULL;
}
