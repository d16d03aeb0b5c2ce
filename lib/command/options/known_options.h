/*
 * known_options.h - a table of all options
 *
 * It says of each how --help tells of it, and how it is set.
 */
#ifndef RIBBON_COMMAND_KNOWN_OPTIONS_H
#define RIBBON_COMMAND_KNOWN_OPTIONS_H

#include "options.h"

typedef struct KnownOption KnownOption;
struct KnownOption
{
	const char *name;
	const char *argument; /* what --help calls it; NULL: takes none */
	char letter;		  /* or 0 */
	unsigned of;		  /* bits of subcommands; 0: a heading */
	const char *help;

	void (*set)(Options *options, const KnownOption *option, const char *value);
	size_t member;			  /* of Options: its offset, for most functions */
	const char *const *names; /* for set_name; ends with NULL */
	const char *what;		  /* what messages call it; NULL: its name */
};

/* More than there are; behind the last one are those without a name. */
#define MAX_OPTIONS 64
extern const KnownOption known_options[MAX_OPTIONS];

#endif /* RIBBON_COMMAND_KNOWN_OPTIONS_H */
