/*
 * forms.h - the forms in which files have the bytes of a filter
 */
#ifndef RIBBON_COMMAND_FORMS_H
#define RIBBON_COMMAND_FORMS_H

#include "command/options/options.h"

/* Write them to a file, whose name is for messages; ends if that fails. */
extern void form_write(int form, int fd, const char *name, const void *bytes,
					   size_t size);

/* Do the first bytes of a file say that they are those of a filter? */
extern bool form_is_raw(const uint8_t *bytes, size_t size);

/*
 * The bytes, and *size of them, of a file in whichever form; NULL, with a
 * message, if it is of none.  *decoded is set to them, to be freed, if they are
 * not where they were.
 */
extern const uint8_t *form_read(const uint8_t *bytes, size_t *size,
								const char *name, uint8_t **decoded);

#endif /* RIBBON_COMMAND_FORMS_H */
