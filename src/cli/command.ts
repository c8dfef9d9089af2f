import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type pg from 'pg'
import { type Config, type Flags, loadConfig } from '../config.ts'
import { reachServer } from '../platform/database/connections/reach-server.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { requireSchema } from '../platform/database/migrate.ts'
import { explainReadOnly } from '../platform/database/read-only.ts'
import { readInteger } from '../platform/http/query/query-values.ts'
import { escapeControlCharacters } from '../platform/terminal/escape-control-characters.ts'
import { exitWithin, Interrupted, untilSignal } from './signals.ts'

export type CommonOptions = { data?: string; json?: boolean }

/** A command with the options that all commands share. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--data <folder>', 'Data folder of the embedded PostgreSQL (default: ./data)')
    .option('--json', 'Print JSON')
}

/** Runs work on a database whose schema matches this version, whether or not a service runs. A signal stops it cleanly. */
export async function withDatabase<Result>(
  options: CommonOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withServer(options, async (database) => {
    await requireSchema(database, { report: (line) => console.error(line) })
    return work(database)
  })
}

export async function withServer<Result>(
  options: CommonOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const interrupted = interruption()
  const server = await reachServer(configFrom(options))
  // Unlike the service, commands run statements without a time limit.
  const database = openDatabase({ connection: server.connection, poolSize: 5, statementTimeoutSeconds: 0 })
  try {
    return await Promise.race([work(database), interrupted])
  } catch (error) {
    throw await explainReadOnly(database, error)
  } finally {
    await database.close()
    await server.release()
  }
}

/** Like withServer, for work that opens its own connections. */
export function withConnection<Result>(
  options: CommonOptions,
  work: (connection: pg.ClientConfig, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return interruptible(async (signal) => {
    const server = await reachServer(configFrom(options))
    return work(server.connection, signal).finally(server.release)
  })
}

/** Runs work that a signal aborts, and gives it four seconds to clean up. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController()
  const interrupted = interruption()
  interrupted.catch(() => stopping.abort())
  const working = work(stopping.signal)
  try {
    return await Promise.race([working, interrupted])
  } finally {
    await Promise.race([working.catch(() => {}), sleep(4_000, undefined, { ref: false })])
  }
}

/** Rejects on a termination signal. The process then exits even if cleanup hangs. */
function interruption(): Promise<never> {
  const interrupted = untilSignal().then((signal): never => {
    process.exitCode = 1
    exitWithin(5_000)
    throw new Interrupted(`stopped by ${signal}`)
  })
  interrupted.catch(() => {})
  return interrupted
}

/** --data selects the embedded server, even if DATABASE_URL is set. */
export function configFrom(
  { data }: CommonOptions,
  flags: Flags = {},
  environment?: NodeJS.ProcessEnv,
): Config {
  const { databaseUrl, ...config } = loadConfig({ ...flags, dataDirectory: data }, environment)
  return data === undefined && databaseUrl !== undefined ? { ...config, databaseUrl } : config
}

export function parseId(text: string): number {
  const id = readInteger(text)
  if (id === undefined || id < 1) throw new InvalidArgumentError('An ID is a whole number from 1.')
  return id
}

/** Parses --limit. */
export function limitUpTo(most: number): (text: string) => number {
  return (text) => {
    const limit = parseId(text)
    if (limit > most) throw new InvalidArgumentError(`The maximum is ${most}.`)
    return limit
  }
}

/** Prints JSON with --json; otherwise an aligned table, or one line per field. */
export function print(options: CommonOptions, result: object | object[]): void {
  const text =
    options.json === true ? JSON.stringify(result) : Array.isArray(result) ? table(result) : lines(result)
  // console.log ignores a full disk, which would lose a token that is shown only once.
  process.stdout.write(`${text}\n`)
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
  return escapeControlCharacters(Array.isArray(value) ? value.join(',') : String(value))
}
