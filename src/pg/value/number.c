/*
 * number.c - the values of maps that are stored as numbers
 *
 * What is here depends on no setting, for -> and ->> are immutable.
 */
#include "value/lookup.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

static const char *timestamp_text(Timestamp number, bool has_zone);
static const char *date_text(DateADT number);
static const char *integer_text(int64 number);
static bool is_date(int64 number);

static inline bool
is_between(int64 number, int64 least, int64 most)
{
	return least <= number && number <= most;
}

bool
ribbon_number_is_valid(unsigned value_class, int64 number)
{
	switch (value_class)
	{
		case RIBBON_VALUE_BOOL:
			return is_between(number, 0, 1);
		case RIBBON_VALUE_INT2:
			return is_between(number, PG_INT16_MIN, PG_INT16_MAX);
		case RIBBON_VALUE_INT4:
			return is_between(number, PG_INT32_MIN, PG_INT32_MAX);
		case RIBBON_VALUE_INT8:
			return true;
		case RIBBON_VALUE_DATE:
			return is_date(number);
		case RIBBON_VALUE_TIMESTAMP:
		case RIBBON_VALUE_TIMESTAMPTZ:
			return TIMESTAMP_NOT_FINITE(number) || IS_VALID_TIMESTAMP(number);
		default:
			return false;
	}
}

static bool
is_date(int64 number)
{
	DateADT date = (DateADT) number;

	return is_between(number, PG_INT32_MIN, PG_INT32_MAX) &&
		(DATE_NOT_FINITE(date) || IS_VALID_DATE(date));
}

Datum
ribbon_number_datum(unsigned value_class, int64 number)
{
	switch (value_class)
	{
		case RIBBON_VALUE_BOOL:
			return BoolGetDatum(number != 0);
		case RIBBON_VALUE_INT2:
			return Int16GetDatum((int16) number);
		case RIBBON_VALUE_INT4:
			return Int32GetDatum((int32) number);
		case RIBBON_VALUE_DATE:
			return DateADTGetDatum((DateADT) number);
		default:
			return Int64GetDatum(number); /* which timestamps are, too */
	}
}

const char *
ribbon_number_text(unsigned value_class, int64 number)
{
	switch (value_class)
	{
		case RIBBON_VALUE_BOOL:
			return number != 0 ? "true" : "false";
		case RIBBON_VALUE_DATE:
			return date_text((DateADT) number);
		case RIBBON_VALUE_TIMESTAMP:
			return timestamp_text(number, false);
		case RIBBON_VALUE_TIMESTAMPTZ:
			return timestamp_text(number, true);
		default:
			return integer_text(number);
	}
}

const char *
ribbon_number_type_name(unsigned value_class)
{
	static const char *const names[RIBBON_NVALUE_CLASSES] = {
		[RIBBON_VALUE_DICTIONARY] = "dictionary",
		[RIBBON_VALUE_BOOL] = "boolean",
		[RIBBON_VALUE_INT2] = "smallint",
		[RIBBON_VALUE_INT4] = "integer",
		[RIBBON_VALUE_INT8] = "bigint",
		[RIBBON_VALUE_DATE] = "date",
		[RIBBON_VALUE_TIMESTAMP] = "timestamp",
		[RIBBON_VALUE_TIMESTAMPTZ] = "timestamptz",
	};

	return names[value_class];
}

static const char *
integer_text(int64 number)
{
	char *buffer = palloc(MAXINT8LEN + 1);

	pg_lltoa(number, buffer);
	return buffer;
}

static const char *
date_text(DateADT number)
{
	struct pg_tm tm = {0};
	char *buffer = palloc(MAXDATELEN + 1);

	if (DATE_NOT_FINITE(number))
		return DATE_IS_NOBEGIN(number) ? EARLY : LATE;
	j2date(number + POSTGRES_EPOCH_JDATE, &tm.tm_year, &tm.tm_mon, &tm.tm_mday);
	EncodeDateOnly(&tm, USE_ISO_DATES, buffer);
	return buffer;
}

static const char *
timestamp_text(Timestamp number, bool has_zone)
{
	struct pg_tm tm;
	fsec_t fraction;
	char *buffer = palloc(MAXDATELEN + 1);

	if (TIMESTAMP_NOT_FINITE(number))
		return TIMESTAMP_IS_NOBEGIN(number) ? EARLY : LATE;
	/* without a zone to convert to, which is UTC */
	if (timestamp2tm(number, NULL, &tm, &fraction, NULL, NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	tm.tm_isdst = 0; /* or else no zone is written */
	EncodeDateTime(&tm, fraction, has_zone, 0, NULL, USE_ISO_DATES, buffer);
	return buffer;
}
