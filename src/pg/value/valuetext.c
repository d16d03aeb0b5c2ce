/*
 * valuetext.c - values as text that is the same in every session
 *
 * A value that is no number is stored as its text: what the output function of
 * its type gives.  Equal sets of values must give equal bytes, and a text must
 * be read as the value that it was, by any session of any server.  So output
 * and input functions see settings that are always the same, the ones that give
 * exact texts.  No code of users sees them: valuetype.c refuses types that
 * would run any, and what belongs to an extension keeps the search_path of the
 * caller, for it may look up what it likes.
 *
 * Texts are stored in UTF-8, whatever the encoding of the database.
 */
#include "value/valuetype.h"

#include "catalog/pg_type_d.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "server/server.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/bytea.h"
#include "utils/float.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/xml.h"

static void
set_setting(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

/*
 * As postgres_fdw does it: what is set so is undone by AtEOXact_GUC, the
 * caller's or that of a transaction or subtransaction that fails.  A parallel
 * worker may do this, too.
 */
static int
begin_settings(const RibbonTypeInfo *info)
{
	int level = NewGUCNestLevel();

	if (DateStyle != USE_ISO_DATES)
		set_setting("datestyle", "ISO");
	if (IntervalStyle != INTSTYLE_POSTGRES)
		set_setting("intervalstyle", "postgres");
	if (extra_float_digits != 1)
		set_setting("extra_float_digits", "1");
	if (bytea_output != BYTEA_OUTPUT_HEX)
		set_setting("bytea_output", "hex");
	if (session_timezone == NULL ||
		strcmp(pg_get_timezone_name(session_timezone), "UTC") != 0)
		set_setting("timezone", "UTC");
	/* (its variable's header calls for ICU's headers) */
	if (strcmp(GetConfigOption("lc_monetary", false, false), "C") != 0)
		set_setting("lc_monetary", "C");
	if (quote_all_identifiers)
		set_setting("quote_all_identifiers", "off");
	/* what input functions go by */
	if (!Array_nulls)
		set_setting("array_nulls", "on");
	if (xmloption != XMLOPTION_CONTENT)
		set_setting("xmloption", "content");
	/*
	 * Names of objects in other schemas are qualified then, and no temporary
	 * object is taken for the server's of the same name.
	 */
	if (info->fixed_path)
		set_setting("search_path", "pg_catalog, pg_temp");
	return level;
}

RibbonValueBytes
ribbon_valuetext_get(RibbonValueType *value_type, Datum value)
{
	RibbonValueBytes text;
	char *utf8;

	if (value_type->is_text)
	{
		struct varlena *bytes = (struct varlena *) DatumGetPointer(value);

		bytes = ribbon_detoast(bytes);
		text = (RibbonValueBytes){VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)};
	}
	else if (value_type->type == PG_LSNOID)
	{
		uint64 lsn = DatumGetUInt64(value);

		/* up to PostgreSQL 18, its output; from 19 on that has more zeros */
		text.bytes = psprintf("%X/%X", (uint32) (lsn >> 32), (uint32) lsn);
		text.nbytes = strlen(text.bytes);
	}
	else
	{
		RibbonTypeInfo *info = ribbon_valuetype_refresh(value_type);
		int level = begin_settings(info);

		text.bytes = OutputFunctionCall(&info->output, value);
		AtEOXact_GUC(true, level);
		text.nbytes = strlen(text.bytes);
	}

	/* it checks, too, where the database has bytes of no encoding */
	utf8 = pg_server_to_any(text.bytes, (int) text.nbytes, PG_UTF8);
	return utf8 == text.bytes ? text : (RibbonValueBytes){utf8, strlen(utf8)};
}

Datum
ribbon_valuetext_read(RibbonValueType *value_type, char *text)
{
	RibbonTypeInfo *info = ribbon_valuetype_refresh(value_type);
	int level = begin_settings(info);
	Datum value = InputFunctionCall(&info->input, text, info->input_param,
									info->typmod);

	AtEOXact_GUC(true, level);
	return value;
}
