/*
 * say.h - messages on standard error, and how the command ends
 */
#ifndef RIBBON_COMMAND_SAY_H
#define RIBBON_COMMAND_SAY_H

#include "include/ribbon.h"

/* Statuses, as grep has them. */
#define STATUS_YES	 0 /* some line was selected */
#define STATUS_NO	 1
#define STATUS_ERROR 2

/* Say "ribbon: ..." and end with STATUS_ERROR, as exit does. */
extern void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* The same with what errno says behind it. */
extern void die_errno(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Say "ribbon: ...", and go on. */
extern void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Show on a terminal's line what the next one takes the place of; and take it
 * away, as a message does.
 */
extern void say_passing(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
extern void end_passing(void);

/* Memory, or the end. */
extern void *need(void *p);

/* RIBBON_SUCCESS, or the end with the library's text. */
extern void need_success(ribbon_status status);

#endif /* RIBBON_COMMAND_SAY_H */
