/*
 * forms.h - the forms in which files have the bytes of a filter
 */
#ifndef RIBBON_COMMAND_FORMS_H
#define RIBBON_COMMAND_FORMS_H

#include "command/options/options.h"

/* Write them to a file, whose name is for messages; ends if that fails. */
extern void form_write(int form, int fd, const char *name, const void *bytes,
					   size_t size);

/* May the first bytes of a file be a filter's?  No other form begins so. */
extern bool form_may_be_raw(const uint8_t *bytes, size_t size);

/*
 * A filter's bytes, and *size of them, of a file in whichever form; NULL, with
 * a message, if it is compressed or malformed.  Bytes of no known form are
 * themselves.  *decoded is set to them, to be freed, if they are not where they
 * were.
 */
extern const uint8_t *form_read(const uint8_t *bytes, size_t *size,
								const char *name, uint8_t **decoded);

#endif /* RIBBON_COMMAND_FORMS_H */
