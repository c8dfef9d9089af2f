import { expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'

test('a script is cut at its semicolons, and at none within quotes and comments', () => {
  const script = `
    -- a comment; with a semicolon
    select 'it''s; one', "a;""b", E'it\\'s; one' /* and; this */ from t;
    do $$ begin perform 1; end $$;
    do $body$ begin execute $$ select 1; $$; end $body$;

    -- repeat until no row changes
    update t set done = true where id = $1 and price - 1 > $2;
    select 1`
  expect(splitStatements(script)).toEqual([
    { text: `select 'it''s; one', "a;""b", E'it\\'s; one'   from t`, repeated: false },
    { text: 'do $$ begin perform 1; end $$', repeated: false },
    { text: 'do $body$ begin execute $$ select 1; $$; end $body$', repeated: false },
    { text: 'update t set done = true where id = $1 and price - 1 > $2', repeated: true },
    { text: 'select 1', repeated: false },
  ])
})
