-- oldest release: 0.1.0
-- An attribute may have several values. Filters look at a single value in place, and into a list by a function: a plan with a
-- subquery would not run in parallel. Their cost is that of a single value, so that they are asked before the names are looked through.

create function attribute_number(value text) returns numeric language sql immutable parallel safe cost 1
  return case
    when value ~ '^ *[+-]?[0-9]{1,30}([.][0-9]{1,30})?([eE][+-]?[0-9]{1,3})? *$' then value::numeric
  end;

create function attribute_numbers(list jsonb) returns numeric[] language sql immutable parallel safe cost 1
  return array(
    select case jsonb_typeof(one.value) when 'number' then one.value::numeric else attribute_number(one.value #>> '{}') end
    from jsonb_array_elements(list) as one (value)
  );

-- Folded as the service folds what is looked for.
create function attribute_text(value text) returns text language sql immutable parallel safe cost 1
  return normalize(translate(lower(value), 'ς', 'σ'), nfc);

create function attribute_texts_contain(list jsonb, pattern text) returns boolean language sql immutable parallel safe cost 1
  return exists (select from jsonb_array_elements_text(list) as one (value) where attribute_text(one.value) like pattern);

-- Days and times in UTC sort as text, the Z left out; cut to the length of a bound, every time of a day is that day.
create function attribute_date(value text, length integer) returns text language sql immutable parallel safe cost 1
  return case when value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)' then left(rtrim(value, 'Z'), length) end;

create function attribute_dates(list jsonb, length integer) returns text[] language sql immutable parallel safe cost 1
  return array(select attribute_date(one.value, length) from jsonb_array_elements_text(list) as one (value));
