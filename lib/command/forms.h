/*
 * forms.h - how bytes are written: digits, COPY's letters, first bytes
 */
#ifndef RIBBON_COMMAND_FORMS_H
#define RIBBON_COMMAND_FORMS_H

#include <stddef.h>

/* Letters behind COPY's backslashes, and the bytes that they stand for. */
#define NCOPY_LETTERS 6
extern const char copy_letters[];
extern const char copy_meant[];

/* COPY ... (FORMAT binary) begins with it, and with its zero byte. */
#define COPY_SIGNATURE "PGCOPY\n\377\r\n"

/* What a hexadecimal digit is worth, or -1. */
extern int hex_digit(char c);

/* What reads these bytes if they are compressed; else NULL. */
extern const char *compression_of(const void *bytes, size_t size);

#endif /* RIBBON_COMMAND_FORMS_H */
