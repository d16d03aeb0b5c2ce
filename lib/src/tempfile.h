/*
 * tempfile.h - a file for sets that do not fit into memory (set/set.h)
 *
 * Threads may read it.
 */
#ifndef RIBBON_LIB_TEMPFILE_H
#define RIBBON_LIB_TEMPFILE_H

#include "internal.h"

#include "set/file.h"

typedef enum RibbonTempFailure
{
	RIBBON_TEMP_CREATE,
	RIBBON_TEMP_WRITE,
	RIBBON_TEMP_READ
} RibbonTempFailure;

typedef struct RibbonTempFile
{
	RibbonFile file;
	const char *directory;
	int fd;			 /* or -1 */
	bool has_failed; /* a call of the file's, with RIBBON_BAD_FILE: */
	int failed;		 /* errno, and */
	RibbonTempFailure what;
} RibbonTempFile;

/* A file in a directory, whose sets are sorted in so many bytes of memory. */
extern void ribbon_tempfile_init(RibbonTempFile *file, const char *directory,
								 uint64_t memory);

/* The error of a file that has failed, with its text. */
extern ribbon_status ribbon_tempfile_error(const RibbonTempFile *file);

extern void ribbon_tempfile_close(RibbonTempFile *file);

#endif /* RIBBON_LIB_TEMPFILE_H */
