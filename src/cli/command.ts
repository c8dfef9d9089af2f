import { Command, InvalidArgumentError } from 'commander'
import { type Config, type Flags, loadConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { reachServer } from '../database/reach.ts'
import { readInteger } from '../http/query-values.ts'

export type CommonOptions = { data?: string; json?: boolean }

/** A command with the options that all share. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--data <folder>', 'folder of the embedded PostgreSQL (default: ./data)')
    .option('--json', 'machine-readable output')
}

/** Runs work on a migrated database, beside a running service or alone. */
export async function withDatabase<Result>(
  options: CommonOptions,
  work: (database: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = configFrom(options)
  const server = await reachServer(config)
  // A command may take its time; only the service cuts statements short.
  const database = openDatabase({ connection: server.connection, poolSize: 2, statementTimeoutSeconds: 0 })
  try {
    await migrate(database)
    return await work(database, config)
  } finally {
    await database.close()
    await server.release()
  }
}

/** --data chooses the embedded server, even where DATABASE_URL is set. */
export function configFrom({ data }: CommonOptions, flags: Flags = {}): Config {
  const config = loadConfig({ ...flags, dataDirectory: data })
  return data === undefined ? config : { ...config, databaseUrl: undefined as never }
}

export function parseId(text: string): number {
  const id = readInteger(text)
  if (id === undefined || id < 1) throw new InvalidArgumentError('an id is a whole number from 1.')
  return id
}

/** JSON for machines; for people an aligned table, or name and value in lines. */
export function print(options: CommonOptions, result: object | object[]): void {
  if (options.json === true) console.log(JSON.stringify(result))
  else console.log(Array.isArray(result) ? table(result) : lines(result))
}

function lines(result: object): string {
  const width = Math.max(...Object.keys(result).map((key) => key.length))
  return Object.entries(result)
    .map(([key, value]) => `${key.padEnd(width)}  ${cell(value)}`)
    .join('\n')
}

function table(rows: object[]): string {
  const [first] = rows
  if (first === undefined) return '(none)'
  const keys = Object.keys(first)
  const cells = [keys, ...rows.map((row) => keys.map((key) => cell((row as Record<string, unknown>)[key])))]
  const widths = keys.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return Array.isArray(value) ? value.join(',') : String(value)
}
