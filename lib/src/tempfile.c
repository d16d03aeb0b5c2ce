/*
 * tempfile.c - temporary files, which have no name and so vanish by themselves
 */
#define _GNU_SOURCE		  /* fallocate, mkostemp */
#define _FILE_OFFSET_BITS 64
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes of a call; systems take no more than 2 GB. */
#define MOST_BYTES ((size_t) 1 << 30)

int
ribbon_tempfile_create(const char *directory, int *fd)
{
	size_t room = strlen(directory) + sizeof("/ribbon.XXXXXX");
	char *name = malloc(room);
	int failed = 0;

	if (name == NULL)
		return ENOMEM;
	(void) snprintf(name, room, "%s/ribbon.XXXXXX", directory);
	*fd = mkostemp(name, O_CLOEXEC);
	if (*fd < 0)
		failed = errno;
	else
		(void) unlink(name);
	free(name);
	return failed;
}

int
ribbon_tempfile_write(int fd, const void *from, size_t size, uint64_t at)
{
	const char *bytes = from;

	while (size > 0)
	{
		ssize_t done = pwrite(fd, bytes, size < MOST_BYTES ? size : MOST_BYTES,
							  (off_t) at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : ENOSPC;
		bytes += done;
		at += (uint64_t) done;
		size -= (size_t) done;
	}
	return 0;
}

int
ribbon_tempfile_read(int fd, void *to, size_t size, uint64_t at)
{
	char *bytes = to;

	while (size > 0)
	{
		ssize_t done = pread(fd, bytes, size < MOST_BYTES ? size : MOST_BYTES,
							 (off_t) at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : EIO;
		bytes += done;
		at += (uint64_t) done;
		size -= (size_t) done;
	}
	return 0;
}

void
ribbon_tempfile_drop(int fd, uint64_t at, uint64_t size)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	(void) fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) at,
					 (off_t) size);
#else
	(void) fd;
	(void) at;
	(void) size;
#endif
}
