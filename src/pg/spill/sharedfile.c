/*
 * sharedfile.c - temporary files that other processes of a query can open
 *
 * A parallel worker hands a large state to its leader as a file.  The server
 * has named temporary files for that (fileset.c): a directory per set, whose
 * name is a process' pid and a number, in each of temp_tablespaces.  The server
 * keeps its own sets in shared memory, together with a count of the processes
 * that use them.  An aggregate function has no shared memory, so there is one
 * set for all processes of a parallel group: the pid is the leader's, and the
 * number is one that the server does not get to.  A file in it is named after
 * the process that created it.
 *
 *	 base/pgsql_tmp/pgsql_tmp<leader>.2147483648.fileset/<creator>.<number>
 *
 * The leader deletes a file when the state that was made of it goes (spill.c).
 * After an error, or if the leader has not asked for it, it is left; also when
 * the leader is terminated.  So the leader deletes all files of its group, with
 * the directory, when its transaction ends.  The server itself removes such
 * directories when it starts.
 *
 * A worker may have created a file that the leader has not been told of, in any
 * of the tablespaces that the worker might use, so the leader looks into all of
 * them, which takes system calls.  It does so
 *
 * - if it created a shared file itself, even if writing to it failed;
 * - if the session has ever had workers, and the transaction aborts: workers
 *	 that were terminated have not told what they wrote;
 * - if it has had workers, and blocks were written to temporary files.  The
 *	 server counts them, and adds those of workers to their leader's count when
 *	 they are done.
 *
 * What deletes files must not throw: after a commit that would be a PANIC, and
 * while a transaction aborts it would abort again.  So directories are read
 * with the C library's functions; the server's own throw if too many are open.
 */
#include "spill/sharedfile.h"

#include <dirent.h>
#include <unistd.h>

#include "access/parallel.h"
#include "access/xact.h"
#include "catalog/pg_tablespace_d.h"
#include "commands/tablespace.h"
#include "common/file_utils.h"
#include "common/pg_prng.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "storage/fileset.h"
#include "storage/proc.h"

/* The server's own numbers are below INT_MAX. */
#define SET_NUMBER 0x80000000u

/* "pid.number" */
#define MAX_NAME 24

/*
 * Has this process created a file in this transaction, or left some when a
 * subtransaction failed?
 */
static bool created = false;

/* The set of our leader's group, as far as it is in one tablespace. */
static FileSet
find_set(Oid tablespace)
{
	const PGPROC *leader = MyProc->lockGroupLeader;

	return (FileSet){.creator_pid = leader != NULL ? leader->pid : MyProcPid,
					 .number = SET_NUMBER,
					 .ntablespaces = 1,
					 .tablespaces = {tablespace}};
}

/* A file by its set, and how it is called there. */
typedef struct NamedFile
{
	FileSet set;
	char name[MAX_NAME];
} NamedFile;

static NamedFile
find_file(const RibbonFileName *name)
{
	NamedFile file = {.set = find_set(name->tablespace)};

	snprintf(file.name, MAX_NAME, "%u.%u", name->pid, name->number);
	return file;
}

/*
 * Of this process' files.  A worker may have the pid of one that has ended, and
 * whose file the leader has yet to read: so the first number is a random one.
 */
static uint32
next_number(void)
{
	static uint32 number = 0;

	if (number == 0)
		number = pg_prng_uint32(&pg_global_prng_state);
	return number++;
}

File
ribbon_sharedfile_create(RibbonFileName *name)
{
	NamedFile file;

	PrepareTempTablespaces();
	name->pid = (uint32) MyProcPid;
	name->number = next_number();
	name->tablespace = GetNextTempTableSpace();
	if (!OidIsValid(name->tablespace))
		name->tablespace = MyDatabaseTableSpace;

	file = find_file(name);
	created = true;
	return FileSetCreate(&file.set, file.name);
}

File
ribbon_sharedfile_open(const RibbonFileName *name)
{
	NamedFile file = find_file(name);
	File handle = FileSetOpen(&file.set, file.name, O_RDONLY);

	if (handle <= 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open temporary file \"%s\" of keys: %m",
						file.name)));
	return handle;
}

void
ribbon_sharedfile_delete(const RibbonFileName *name)
{
	NamedFile file = find_file(name);

	FileSetDelete(&file.set, file.name, false);
}

/* NULL if there is none. */
static DIR *
open_directory(const char *path)
{
	DIR *dir = opendir(path);

	if (dir == NULL && errno != ENOENT)
		ereport(LOG,
				(errcode_for_file_access(),
				 errmsg("could not open directory \"%s\": %m", path)));
	return dir;
}

/* FileSetDeleteAll, for one tablespace and without an error. */
static void
remove_from(Oid tablespace)
{
	FileSet set = find_set(tablespace);
	char parent[MAXPGPATH];
	char path[MAXPGPATH];
	DIR *dir;
	struct dirent *entry;

	TempTablespacePath(parent, tablespace);
	snprintf(path, sizeof(path), "%s/%s%lu.%u.fileset", parent,
			 PG_TEMP_FILE_PREFIX, (unsigned long) set.creator_pid, set.number);

	dir = open_directory(path);
	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			FileSetDelete(&set, entry->d_name, false);
	closedir(dir);

	if (rmdir(path) != 0)
		ereport(LOG,
				(errcode_for_file_access(),
				 errmsg("could not remove directory \"%s\": %m", path)));
}

/* All files of this parallel group, as its leader.  Does not throw. */
static void
delete_all(void)
{
	DIR *dir = open_directory("pg_tblspc");
	struct dirent *entry;

	remove_from(DEFAULTTABLESPACE_OID);
	while (dir != NULL && (entry = readdir(dir)) != NULL)
	{
		unsigned long tablespace = strtoul(entry->d_name, NULL, 10);

		if (tablespace != 0)
			remove_from((Oid) tablespace);
	}
	if (dir != NULL)
		closedir(dir);
}

/* Blocks of temporary files written when we looked last. */
static int64 seen_blocks;

/*
 * May there be a file of this group, after a (sub)transaction that failed or
 * not?
 */
static bool
may_exist(bool failed)
{
	bool had_workers = MyProc->lockGroupLeader != NULL;

	return created ||
		(had_workers &&
		 (failed || pgBufferUsage.temp_blks_written != seen_blocks));
}

/* The workers are gone by now, whichever way the transaction has ended. */
static void
at_transaction_end(XactEvent event, void *arg)
{
	bool committed = event == XACT_EVENT_COMMIT || event == XACT_EVENT_PREPARE;

	if (IsParallelWorker() || (!committed && event != XACT_EVENT_ABORT))
		return;
	if (may_exist(!committed))
		delete_all();
	seen_blocks = pgBufferUsage.temp_blks_written;
	created = false;
}

void
ribbon_sharedfile_clean(bool postpone)
{
	if (!may_exist(true))
		return;
	if (postpone)
		created = true;
	else
		delete_all();
}

void
ribbon_sharedfile_init(void)
{
	seen_blocks = pgBufferUsage.temp_blks_written;
	RegisterXactCallback(at_transaction_end, NULL);
}
