/*
 * numbers.h - digits, and counts, sizes and rates as options have them
 *
 * The library has digits and counts of its own, which it does not show.
 */
#ifndef RIBBON_COMMAND_NUMBERS_H
#define RIBBON_COMMAND_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* What a hexadecimal digit is worth, or -1. */
extern int hex_digit(char c);

/*
 * A number of at most so much, in digits; a number of bytes with its unit, B to
 * TB: 256MB; and 0.01, 1e-3, 1/128 or 0.1%.  False if the text is none.
 */
extern bool parse_count(const char *text, uint64_t most, uint64_t *number);
extern bool parse_size(const char *text, uint64_t *size);
extern bool parse_rate(const char *text, double *rate);

#endif /* RIBBON_COMMAND_NUMBERS_H */
