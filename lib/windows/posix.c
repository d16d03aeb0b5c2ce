/*
 * posix.c - what libribbon takes of POSIX, by calls of Windows
 */
#include <errno.h>
#include <io.h>
#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static HANDLE
handle_of(int fd)
{
	return (HANDLE) _get_osfhandle(fd);
}

/* Set errno as well as can be told. */
static int
fail(void)
{
	DWORD error = GetLastError();

	errno = error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL ?
		ENOSPC :
		error == ERROR_NOT_ENOUGH_MEMORY || error == ERROR_COMMITMENT_LIMIT ?
		ENOMEM :
		EIO;
	return -1;
}

void *
mmap(void *at, size_t size, int protection, int flags, int fd, long long offset)
{
	HANDLE mapping = CreateFileMapping(handle_of(fd), NULL, PAGE_READONLY, 0, 0,
									   NULL);
	void *mapped = NULL;

	(void) at, (void) size, (void) protection, (void) flags, (void) offset;
	if (mapping != NULL)
	{
		mapped = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
		if (mapped == NULL)
			(void) fail();
		(void) CloseHandle(mapping);
	}
	else if (GetLastError() == ERROR_FILE_INVALID) /* it is empty */
		mapped = VirtualAlloc(NULL, 1, MEM_COMMIT, PAGE_READONLY);
	else
		(void) fail();
	return mapped != NULL ? mapped : MAP_FAILED;
}

int
munmap(void *mapped, size_t size)
{
	(void) size;
	if (!UnmapViewOfFile(mapped))
		(void) VirtualFree(mapped, 0, MEM_RELEASE);
	return 0;
}

int
mkostemp(char *name, int flags)
{
	static volatile LONG counter;
	char *end = name + strlen(name) - 6;
	int fd = -1;

	for (int i = 0; i < 1000 && fd < 0; i++)
	{
		uint64_t number = (uint64_t) InterlockedIncrement(&counter) +
			GetTickCount64() * 1009 + GetCurrentProcessId() * UINT64_C(65537);

		for (int k = 0; k < 6; k++, number /= 26)
			end[k] = (char) ('a' + number % 26);
		fd = _open(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | flags,
				   0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

const char *
temporary_directory(void)
{
	static _Thread_local char path[MAX_PATH + 1];

	return GetTempPathA(sizeof(path), path) > 0 ? path : ".";
}

/* Where in the file. */
static OVERLAPPED
place_at(off_t at)
{
	return (OVERLAPPED){.Offset = (DWORD) at,
						.OffsetHigh = (DWORD) ((uint64_t) at >> 32)};
}

/* What one call transfers of so many bytes: at most 1 GB. */
static DWORD
part_of(size_t size)
{
	return size < 1 << 30 ? (DWORD) size : 1 << 30;
}

ssize_t
pread(int fd, void *to, size_t size, off_t at)
{
	OVERLAPPED place = place_at(at);
	DWORD done = 0;

	if (!ReadFile(handle_of(fd), to, part_of(size), &done, &place) &&
		GetLastError() != ERROR_HANDLE_EOF)
		return fail();
	return (ssize_t) done;
}

ssize_t
pwrite(int fd, const void *from, size_t size, off_t at)
{
	OVERLAPPED place = place_at(at);
	DWORD done = 0;

	if (!WriteFile(handle_of(fd), from, part_of(size), &done, &place))
		return fail();
	return (ssize_t) done;
}

long
sysconf(int name)
{
	SYSTEM_INFO info;

	(void) name;
	GetSystemInfo(&info);
	return (long) info.dwNumberOfProcessors;
}

locale_t
newlocale(int mask, const char *name, locale_t base)
{
	(void) mask, (void) base;
	return name;
}

/* Of numbers alone, and of this thread alone. */
locale_t
uselocale(locale_t locale)
{
	static _Thread_local char before[128];
	char wanted[sizeof(before)];

	(void) snprintf(wanted, sizeof(wanted), "%s", locale);
	(void) _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
	(void) snprintf(before, sizeof(before), "%s", setlocale(LC_NUMERIC, NULL));
	(void) setlocale(LC_NUMERIC, wanted);
	return before;
}
