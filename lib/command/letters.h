/*
 * letters.h - hexadecimal digits, COPY's letters, the first bytes of archives
 */
#ifndef RIBBON_COMMAND_LETTERS_H
#define RIBBON_COMMAND_LETTERS_H

#include <stddef.h>

/* Letters behind COPY's backslashes, and the bytes that they stand for. */
#define NCOPY_LETTERS 6
extern const char copy_letters[];
extern const char copy_meant[];

/* What a hexadecimal digit is worth, or -1. */
extern int hex_digit(char c);

/* What reads these bytes if they are compressed; else NULL. */
extern const char *compression_of(const void *bytes, size_t size);

#endif /* RIBBON_COMMAND_LETTERS_H */
