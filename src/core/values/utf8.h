/*
 * utf8.h - is it text in UTF-8?
 */
#ifndef RIBBON_UTF8_H
#define RIBBON_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Characters up to U+10FFFF in UTF-8, without character 0, surrogates and
 * overlong forms: what PostgreSQL takes for text in a database in UTF-8.
 */
extern bool ribbon_is_utf8(const char *text, size_t size);

#endif /* RIBBON_UTF8_H */
