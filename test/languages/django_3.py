import os

import django
from django.conf import settings
from django.db import models

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}},
                   DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
django.setup()


class RibbonFilterField(models.Field):
    """A column of filters: bytes in Python."""

    def db_type(self, connection):
        return "ribbonfilter"

    def select_format(self, compiler, sql, params):
        return sql + "::bytea", params

    def get_placeholder(self, value, compiler, connection):
        return "%s::bytea::ribbonfilter"

    def from_db_value(self, value, expression, connection):
        return None if value is None else bytes(value)


@RibbonFilterField.register_lookup
class Contains(models.Lookup):
    """filter(members__contains=key) is members @> key."""
    lookup_name = "contains"
    prepare_rhs = False

    def get_db_prep_lookup(self, value, connection):
        return "%s", [value]

    def as_sql(self, compiler, connection):
        filters, parameters = self.process_lhs(compiler, connection)
        key, key_parameters = self.process_rhs(compiler, connection)
        return f"{filters} @> {key}", [*parameters, *key_parameters]


class Audience(models.Model):
    name = models.TextField(primary_key=True)
    members = RibbonFilterField()

    class Meta:
        app_label = "shop"
        db_table = "audience"


class ContainsAny(models.Func):
    function = "ribbon_contains_any"
    output_field = models.BooleanField()


class ContainsAll(ContainsAny):
    function = "ribbon_contains_all"


# Which filters hold this key? A Python int is written as a number, a str is text.
print(Audience.objects.filter(name="eu", members__contains=42).exists())
print(Audience.objects.filter(name="words", members__contains="ann").exists())

# Lists of keys
eu = Audience.objects.filter(name="eu").annotate(has=ContainsAny("members", models.Value([42, 424242])))
words = Audience.objects.filter(name="words").annotate(has=ContainsAll("members", models.Value(["ann", "eve"])))
print(eu.get().has)
print(words.get().has)

# A filter comes as its bytes
members = Audience.objects.get(name="eu").members
print(len(members), Audience.objects.values_list("members", flat=True).get(name="eu") == members)

# And goes as bytes
Audience.objects.create(name="copy", members=members)
print(Audience.objects.filter(name="copy", members__contains=42).exists())
