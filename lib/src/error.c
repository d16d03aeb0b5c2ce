/*
 * error.c - what was wrong, in words
 *
 * Each thread has a text of its own, of the last call that failed.
 */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#define TEXT_BYTES 1024

static _Thread_local char last_error[TEXT_BYTES] = "there was no error";

const char *
ribbon_error_text(void)
{
	return last_error;
}

ribbon_status
ribbon_error_set(ribbon_status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void) vsnprintf(last_error, sizeof(last_error), format, arguments);
	va_end(arguments);
	return status;
}

ribbon_status
ribbon_error_memory(void)
{
	return ribbon_error_set(RIBBON_ERROR_MEMORY, "out of memory");
}

ribbon_status
ribbon_error_file(const char *what, const char *name)
{
	int saved = errno;
	char why[256];

	if (strerror_r(saved, why, sizeof(why)) != 0)
		(void) snprintf(why, sizeof(why), "error %d", saved);
	(void) ribbon_error_set(RIBBON_ERROR_FILE, "could not %s \"%.512s\": %s",
							what, name, why);
	errno = saved;
	return RIBBON_ERROR_FILE;
}

void
ribbon_error_prefix(const char *name)
{
	char old[TEXT_BYTES];

	memcpy(old, last_error, sizeof(old));
	(void) snprintf(last_error, sizeof(last_error), "\"%.512s\": %.500s", name,
					old);
}

const char *
ribbon_error_show(const char *text, size_t size, char *shown)
{
	size_t n = size <= RIBBON_SHOWN ? size : RIBBON_SHOWN - 3;

	for (size_t i = 0; i < n; i++)
	{
		unsigned char c = (unsigned char) text[i];

		shown[i] = c < ' ' || c == 0x7F ? '?' : text[i];
		/* in UTF-8, U+0080 to U+009F, too */
		if (i > 0 && shown[i - 1] == '\xC2' && c >= 0x80 && c < 0xA0)
			shown[i - 1] = shown[i] = '?';
	}
	while (n > 0 && n < size && ((unsigned char) text[n] & 0xC0) == 0x80)
		n--;
	memcpy(shown + n, n < size ? "..." : "", n < size ? 4 : 1);
	return shown;
}

ribbon_status
ribbon_error_core(RibbonStatus status)
{
	static const ribbon_status ours[RIBBON_NSTATUS] = {
		[RIBBON_OK] = RIBBON_SUCCESS,
		[RIBBON_OUT_OF_MEMORY] = RIBBON_ERROR_MEMORY,
		[RIBBON_INTERRUPTED] = RIBBON_ERROR_CANCELLED,
		[RIBBON_BAD_FPR] = RIBBON_ERROR_FPR,
		[RIBBON_BAD_PARAMS] = RIBBON_ERROR_OPTION,
		[RIBBON_IS_EXACT] = RIBBON_ERROR_IS_EXACT,
		[RIBBON_NOT_LARGER] = RIBBON_ERROR_NOT_LARGER,
		[RIBBON_TRUNCATED] = RIBBON_ERROR_TRUNCATED,
		[RIBBON_BAD_VERSION] = RIBBON_ERROR_VERSION,
		[RIBBON_CONFLICT] = RIBBON_ERROR_CONFLICT,
		[RIBBON_NO_SEED] = RIBBON_ERROR_CONFLICT,
		[RIBBON_BAD_FILE] = RIBBON_ERROR_FILE,
		[RIBBON_TOO_MANY_TEXTS] = RIBBON_ERROR_VALUE_RANGE,
		[RIBBON_TEXTS_TOO_LARGE] = RIBBON_ERROR_VALUE_RANGE,
		[RIBBON_NUMBER_LIKE_NULL] = RIBBON_ERROR_VALUE_RANGE,
		[RIBBON_RANGE_TOO_WIDE] = RIBBON_ERROR_VALUE_RANGE,
	};

	if (status == RIBBON_OK)
		return RIBBON_SUCCESS;
	return ribbon_error_set((unsigned) status < RIBBON_NSTATUS &&
									ours[status] != 0 ?
								ours[status] :
								RIBBON_ERROR_CORRUPT,
							"%s", ribbon_status_text(status));
}

int
ribbon_library_version(void)
{
	return LIBRIBBON_VERSION;
}
