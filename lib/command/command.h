/*
 * command.h - the subcommands of ribbon
 *
 *	 main.c		which subcommand, from the table of them
 *	 options.h	what the options are set to; known_options.h: a table of all;
 *				numbers.h: counts, sizes and rates; usage.c: --help
 *	 say.h		messages, and the end
 *	 reader.h	records, from lines and CSV; column.h: their columns
 *	 fields.h	keys and values from columns; hashes.h: from digits of hashes
 *	 load.h		the bytes of a filter's file; forms.h: hexadecimal, base64, COPY
 *	 compressed.h	is a file compressed?
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

/* The subcommands; they return the status. */
typedef struct Options Options;
extern int command_build(const Options *options); /* map and exact, too */
extern int command_ask(const Options *options);	  /* test and get */
extern int command_stats(const Options *options);
extern int command_check(const Options *options);
extern int command_shrink(const Options *options);

#endif /* RIBBON_COMMAND_H */
