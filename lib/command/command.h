/*
 * command.h - the subcommands of ribbon, and how they end at an error
 *
 *	 main.c		which subcommand
 *	 options.h	what the options are set to; usage.c: --help
 *	 reader.h	records and their fields, from lines and CSV
 *	 fields.h	keys and values from fields; forms.h: how bytes are written
 *	 load.h		the bytes of a filter, in the forms that files have
 *	 chain.h	exact sets that correct each other: --after
 *	 output.h	a file that is there when it is whole
 *	 progress.h	how far it is, on a terminal
 *	 build.c	ribbon build, map, exact; conflict.h: which key has two values
 *	 ask.c		ribbon test, get
 *	 about.c	ribbon stats, check, shrink
 *
 * The command is a program like any other that uses the library's header.  It
 * ends at the first error, with status 2 and a message; nothing is freed then
 * but an output file that is not whole.
 */
#ifndef RIBBON_COMMAND_H
#define RIBBON_COMMAND_H

#include "include/ribbon.h"

/* Statuses, as grep has them. */
#define STATUS_YES	 0 /* some line was selected */
#define STATUS_NO	 1
#define STATUS_ERROR 2

/* Say "ribbon: ..." and end with STATUS_ERROR. */
extern void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* The same with what errno says behind it. */
extern void die_errno(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Say "ribbon: ...", and go on. */
extern void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory, or the end. */
extern void *need(void *p);

/* RIBBON_SUCCESS, or the end with the library's text. */
extern void need_success(ribbon_status status);

/* The subcommands; they return the status. */
typedef struct Options Options;
extern int command_build(const Options *options); /* map and exact, too */
extern int command_test(const Options *options);
extern int command_get(const Options *options);
extern int command_stats(const Options *options);
extern int command_check(const Options *options);
extern int command_shrink(const Options *options);

#endif /* RIBBON_COMMAND_H */
