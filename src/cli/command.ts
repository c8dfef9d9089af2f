import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type pg from 'pg'
import { type Config, type Flags, loadConfig } from '../config.ts'
import { reachServer } from '../platform/database/connections/reach-server.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { requireSchema } from '../platform/database/migrate.ts'
import { explainReadOnly } from '../platform/database/read-only.ts'
import { readInteger } from '../platform/http/query/query-values.ts'
import { visible } from '../platform/terminal/escape-control-characters.ts'
import { exitWithin, Interrupted, untilSignal } from './signals.ts'

export type CommonOptions = { data?: string; json?: boolean }

/** A command with the options that all share. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--data <folder>', 'folder of the embedded PostgreSQL (default: ./data)')
    .option('--json', 'machine-readable output')
}

/** Runs work on a database with the schema of this version, beside a running service or alone. A signal ends the work in order. */
export async function withDatabase<Result>(
  options: CommonOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withServer(options, async (database) => {
    await requireSchema(database, { tell: (line) => console.error(line) })
    return work(database)
  })
}

export async function withServer<Result>(
  options: CommonOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const interrupted = interruption()
  const server = await reachServer(configFrom(options))
  // The statements of a command have no time limit; those of the service have one.
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

/** The same for work that opens connections of its own. */
export function withConnection<Result>(
  options: CommonOptions,
  work: (connection: pg.ClientConfig, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return interruptible(async (signal) => {
    const server = await reachServer(configFrom(options))
    return work(server.connection, signal).finally(server.release)
  })
}

/** Work that a signal of the system tells to end; it has a moment to put away what it left. */
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

/** Rejects when a signal asks the process to end, which it then does in any case. */
function interruption(): Promise<never> {
  const interrupted = untilSignal().then((signal): never => {
    process.exitCode = 1
    exitWithin(5_000)
    throw new Interrupted(`ended by ${signal}`)
  })
  interrupted.catch(() => {})
  return interrupted
}

/** --data chooses the embedded server, even where DATABASE_URL is set. */
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
  if (id === undefined || id < 1) throw new InvalidArgumentError('an id is a whole number from 1.')
  return id
}

/** Parses --limit. */
export function limitUpTo(most: number): (text: string) => number {
  return (text) => {
    const limit = parseId(text)
    if (limit > most) throw new InvalidArgumentError(`must be at most ${most}.`)
    return limit
  }
}

/** JSON for machines; for people an aligned table, or name and value in lines. */
export function print(options: CommonOptions, result: object | object[]): void {
  const text =
    options.json === true ? JSON.stringify(result) : Array.isArray(result) ? table(result) : lines(result)
  // console.log would hide that the disk is full, and with it a token that is shown only once.
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
  return visible(Array.isArray(value) ? value.join(',') : String(value))
}
