import pg from 'pg'

const { builtins } = pg.types

const secondsLength = '2026-01-31T08:15:30'.length
const utc = /^\+00(:00)?$/

/**
 * Converts `2026-01-31 08:15:30.5+00`, PostgreSQL's format in UTC, and `2026-01-31T08:15:30.5+00:00`, its format in JSON,
 * to `2026-01-31T08:15:30.500Z`.
 */
export function isoTimestamp(text: string): string {
  const zone = text.indexOf('+', secondsLength)
  if (!utc.test(text.slice(zone))) throw new Error(`the database returned a time that is not in UTC: ${text}`)
  const milliseconds = text.slice(secondsLength + 1, zone).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, secondsLength)}.${milliseconds}Z`
}

// Every bigint we store stays below 2^53, and every numeric has at most 12 digits: both fit a double exactly.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.TIMESTAMPTZ, isoTimestamp],
])

/** How column text is parsed, so that a row is the response. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) ||
    pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
}
