import pg from 'pg'

const { builtins } = pg.types

/** `2026-01-31 08:15:30.5+00`, as PostgreSQL writes it in UTC, becomes `2026-01-31T08:15:30.500Z`. */
function isoTimestamp(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`the database does not speak UTC: ${text}`)
  const [seconds = '', rest = '+00'] = text.split('.')
  const milliseconds = rest.slice(0, -3).padEnd(3, '0')
  return `${seconds.slice(0, 19).replace(' ', 'T')}.${milliseconds}Z`
}

// Every bigint we store stays below 2^53, and every numeric has at most 12 digits: both fit a double exactly.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.TIMESTAMPTZ, isoTimestamp],
])

/** How column text becomes a value, so that a row can be sent as it is. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) ||
    pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
}
