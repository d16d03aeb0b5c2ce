/*
 * internal.h - what all files of libribbon share: errors, as texts by thread
 *
 * lib/include/ribbon.h is the library's header, src/core/ribbon_core.h that of
 * the core, on which all of this stands.  The others:
 *
 *	 keys.h		keys from what a program has, and many at once: key.c, keys.c
 *	 text.h		words in whichever case, and texts in messages: text.c
 *	 cursor.h	what readers of texts share: cursor.c
 *	 keyread.h	keys from texts: keyread.c; values: valuetext.c; numbers:
 *				numeric.c, floatread.c; times: civilread.c, intervalread.c;
 *				addresses: netread.c; bytes: bytesread.c; JSON: jsonread.c
 *	 builder.h	from keys to bytes: builder*.c, conflict.c
 *	 work.h		what the core asks of its caller: threads, progress
 *	 tempfile.h	a file for keys that do not fit into memory
 *	 filter.h	opening, and what a filter tells of itself: filter.c; contains
 *				and get: ask.c
 */
#ifndef RIBBON_INTERNAL_H
#define RIBBON_INTERNAL_H

/* What the library shows; the rest is hidden. */
#pragma GCC visibility push(default)
#include "include/ribbon.h"
#pragma GCC visibility pop
#include "ribbon_core.h"

#include <string.h>

/* Set the text of this thread; returns status. */
extern ribbon_status ribbon_error_set(ribbon_status status, const char *format,
									  ...)
	__attribute__((format(printf, 2, 3)));

/* Out of memory: RIBBON_ERROR_MEMORY. */
extern ribbon_status ribbon_error_memory(void);

/* The same of a file, with what errno says; RIBBON_ERROR_FILE. */
extern ribbon_status ribbon_error_file(const char *what, const char *name);

/* Put the name of a file in front of the text. */
extern void ribbon_error_prefix(const char *name);

/* RIBBON_ERROR_KEY_TYPE: a key of type given, where keys are of another. */
extern ribbon_status ribbon_error_key_type(int given, int wanted);

/* The status of the core, with a text. */
extern ribbon_status ribbon_error_core(RibbonStatus status);

#endif /* RIBBON_INTERNAL_H */
