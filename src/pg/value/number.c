/*
 * number.c - the values of maps that are stored as numbers
 *
 * What is here depends on no setting, for -> and ->> are immutable.
 */
#include "value/lookup.h"

#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

/* What a type has: the numbers from least to greatest, and two infinities. */
typedef struct NumberClass
{
	Oid type;
	const char *name; /* what SQL calls it */
	int64 least;
	int64 greatest;
	int64 before; /* 0, a number as any other, if there are none */
	int64 after;
} NumberClass;

static const NumberClass classes[RIBBON_NVALUE_CLASSES] = {
	[RIBBON_VALUE_DICTIONARY] = {InvalidOid, "dictionary"},
	[RIBBON_VALUE_BOOL] = {BOOLOID, "boolean", 0, 1},
	[RIBBON_VALUE_INT2] = {INT2OID, "smallint", PG_INT16_MIN, PG_INT16_MAX},
	[RIBBON_VALUE_INT4] = {INT4OID, "integer", PG_INT32_MIN, PG_INT32_MAX},
	[RIBBON_VALUE_INT8] = {INT8OID, "bigint", PG_INT64_MIN, PG_INT64_MAX},
	[RIBBON_VALUE_DATE] = {DATEOID, "date",
						   DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE,
						   DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1,
						   DATEVAL_NOBEGIN, DATEVAL_NOEND},
	[RIBBON_VALUE_TIMESTAMP] = {TIMESTAMPOID, "timestamp", MIN_TIMESTAMP,
								END_TIMESTAMP - 1, DT_NOBEGIN, DT_NOEND},
	[RIBBON_VALUE_TIMESTAMPTZ] = {TIMESTAMPTZOID, "timestamptz", MIN_TIMESTAMP,
								  END_TIMESTAMP - 1, DT_NOBEGIN, DT_NOEND},
};

RibbonValueClass
ribbon_number_class(Oid type)
{
	for (int i = RIBBON_VALUE_BOOL; i < RIBBON_NVALUE_CLASSES; i++)
		if (classes[i].type == type)
			return (RibbonValueClass) i;
	return RIBBON_VALUE_DICTIONARY;
}

bool
ribbon_number_is_valid(unsigned value_class, int64 number)
{
	const NumberClass *class = &classes[value_class];

	Assert(value_class < RIBBON_NVALUE_CLASSES);
	return (number >= class->least && number <= class->greatest) ||
		number == class->before || number == class->after;
}

const char *
ribbon_number_type_name(unsigned value_class)
{
	return classes[value_class].name;
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

static const char *
integer_text(int64 number)
{
	char *buffer = palloc(MAXINT8LEN + 1);

	pg_lltoa(number, buffer);
	return buffer;
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
