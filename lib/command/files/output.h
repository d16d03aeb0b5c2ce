/*
 * output.h - a file that is there when it is whole
 */
#ifndef RIBBON_COMMAND_OUTPUT_H
#define RIBBON_COMMAND_OUTPUT_H

#include "command/options/options.h"

/*
 * Before work begins: can it be written, and is standard output, if it is that,
 * none of the files that are read?  Ends if not.
 */
extern void output_check(const OutputOptions *output, const FileNames *files,
						 const FileNames *after);

/*
 * Is standard output, if it is a file, none of those that are read?  Ends if it
 * is, with a hint behind the message.
 */
extern void output_check_inputs(const FileNames *files, const FileNames *after,
								const char *hint);

extern void output_write(const OutputOptions *output, const void *bytes,
						 size_t size);

/* Delete what has been written of a file that is not whole. */
extern void output_abandon(void);

/* Do so, too, when the command ends, be it by a signal. */
extern void output_guard(void);

#endif /* RIBBON_COMMAND_OUTPUT_H */
