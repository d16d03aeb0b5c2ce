/*
 * print.h - values as fields of records: of COPY's text and CSV
 */
#ifndef RIBBON_COMMAND_PRINT_H
#define RIBBON_COMMAND_PRINT_H

#include "command/options/options.h"

/* Print bytes as they are. */
extern void put_bytes(const char *text, size_t size);

/*
 * Print a value so that it is no more than a field, and not what a NULL looks
 * like: in CSV in quotes, if it must be, and else with backslashes.  Where
 * records end with a zero byte, it is as it is.
 */
extern void put_field(const InputOptions *input, const char *null,
					  const char *text, size_t size);

#endif /* RIBBON_COMMAND_PRINT_H */
