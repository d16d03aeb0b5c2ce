/*
 * posix.h - what libribbon takes of POSIX, where mingw-w64 does not have it
 *
 * make lib HOST=x86_64-w64-mingw32 includes it before all else.
 */
#ifndef RIBBON_POSIX_H
#define RIBBON_POSIX_H

#include <fcntl.h>
#include <string.h>
#include <sys/types.h>

#define O_CLOEXEC  (_O_NOINHERIT | _O_BINARY)
#define O_NONBLOCK 0

/* The user's, which TMP or TEMP says; kept until this thread asks again. */
extern const char *temporary_directory(void);
#define RIBBON_TMP temporary_directory()

/* A file that is deleted when it is closed. */
extern int mkostemp(char *name, int flags);
extern ssize_t pread(int fd, void *to, size_t size, off_t at);
extern ssize_t pwrite(int fd, const void *from, size_t size, off_t at);

static inline int
strerror_r(int number, char *text, size_t room)
{
	return strerror_s(text, room, number);
}

/* The only number about the system that is asked for. */
#define _SC_NPROCESSORS_ONLN 1
extern long sysconf(int name);

/* There are no signals. */
typedef int ribbon_signals;
#define sigset_t	ribbon_signals
#define SIG_SETMASK 0

static inline int
sigfillset(sigset_t *set)
{
	return *set = 0;
}

static inline int
pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	(void) how, (void) set, (void) old;
	return 0;
}

/* Locales of threads: their names. */
typedef const char *locale_t;
#define LC_ALL_MASK 0
extern locale_t newlocale(int mask, const char *name, locale_t base);
extern locale_t uselocale(locale_t locale);

#endif /* RIBBON_POSIX_H */
