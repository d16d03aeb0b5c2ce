/*
 * tempfile.h - a file for sets that do not fit into memory (set/set.h)
 *
 * Threads may read it.
 */
#ifndef RIBBON_LIB_TEMPFILE_H
#define RIBBON_LIB_TEMPFILE_H

#include "src/internal.h"

#include "set/file.h"

typedef struct RibbonTempFile
{
	RibbonFile file;
	char *directory;  /* where it is made; freed when it is closed */
	int fd;			  /* or -1 */
	bool has_failed;  /* a call of the file's, with RIBBON_BAD_FILE: */
	int failed;		  /* errno, and */
	const char *what; /* could not be done in the directory */
} RibbonTempFile;

/* A file, whose directory and memory are set before the first word is. */
extern void ribbon_tempfile_init(RibbonTempFile *file);

/* How many bytes of memory sets may be sorted in. */
extern void ribbon_tempfile_set_memory(RibbonTempFile *file, uint64_t bytes);

/* The error of a file that has failed, with its text. */
extern ribbon_status ribbon_tempfile_error(const RibbonTempFile *file);

extern void ribbon_tempfile_close(RibbonTempFile *file);

#endif /* RIBBON_LIB_TEMPFILE_H */
