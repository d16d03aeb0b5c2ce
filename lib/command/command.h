/*
 * command.h - the subcommands of ribbon
 *
 *	 main.c		which subcommand, from the table of them
 *	 build.c	ribbon build, map, exact; conflict.h: which key has two values;
 *				chain.h: exact sets that correct each other, --after
 *	 ask.c		ribbon test, get
 *	 about.c	ribbon stats, check, shrink
 *
 * They stand on files:
 *
 *	 reader.h	records, from lines and CSV; column.h: their columns
 *	 fields.h	keys and values from columns; hashes.h: from digits of hashes
 *	 load.h		the bytes of a filter's file; forms.h: hexadecimal, base64, COPY
 *	 compressed.h	is a file compressed?
 *	 print.h	values as such columns
 *	 output.h	a file that is there when it is whole
 *	 progress.h	how far it is, on a terminal
 *
 * which stand on options:
 *
 *	 options.h	what they are set to (options_read.c); known_options.h: a
 *				table of all; usage.c: --help
 *
 * and all on base:
 *
 *	 say.h		messages, and the end
 *	 numbers.h	digits, counts, sizes and rates
 *
 * The command is a program like any other that uses the library's header.  It
 * ends at the first error, with status 2 and a message; nothing is freed then,
 * and an output file that is not whole is deleted.  Only ribbon check goes on
 * with the next file.
 */
#ifndef RIBBON_COMMAND_H
#define RIBBON_COMMAND_H

#include "command/options/options.h"

/* The subcommands; they return the status. */
extern int command_build(const Options *options); /* map and exact, too */
extern int command_ask(const Options *options);	  /* test and get */
extern int command_stats(const Options *options);
extern int command_check(const Options *options);
extern int command_shrink(const Options *options);

#endif /* RIBBON_COMMAND_H */
