/*
 * numbers.h - counts, sizes and rates, as options have them
 *
 * All return false if the text is none.
 */
#ifndef RIBBON_COMMAND_NUMBERS_H
#define RIBBON_COMMAND_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* A number of at most so much, in digits. */
extern bool parse_count(const char *text, uint64_t most, uint64_t *number);

/* A number of bytes with its unit, B to TB: 256MB. */
extern bool parse_size(const char *text, uint64_t *size);

/* 0.01, 1e-3, 1/128, 0.1%. */
extern bool parse_rate(const char *text, double *rate);

#endif /* RIBBON_COMMAND_NUMBERS_H */
