/*
 * internal.h - what all files of libribbon share: errors, as texts by thread
 *
 * lib/include/ribbon.h is the library's header, src/core/ribbon_core.h that of
 * the core, on which all of this stands.  The rooms, of which each includes
 * headers of those above it in this list, as test/build/floors.py says:
 *
 *	 (here)		errors; text.h: words in whichever case
 *	 key		keys.h: keys from what a program has, one or many
 *	 read		keyread.h: keys from texts, a file for each kind of them;
 *				cursor.h: what these share; values from texts and back
 *	 builder	builder.h: from keys to bytes; work.h: what the core asks of
 *				its caller; tempfile.h: a file for keys that do not fit into
 *				memory
 *	 filter		filter.h: opening, what a filter tells of itself, contains and
 *				get
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

/*
 * A text as a message shows it, in shown[0..RIBBON_SHOWN]: not too long, and
 * nothing that a terminal would obey.
 */
#define RIBBON_SHOWN 60
extern const char *ribbon_error_show(const char *text, size_t size,
									 char *shown);

/* The status of the core, with a text. */
extern ribbon_status ribbon_error_core(RibbonStatus status);

#endif /* RIBBON_INTERNAL_H */
