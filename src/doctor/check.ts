import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Pooling } from '../database/pooler.ts'

/** What a check found, in a sentence; `advice` says what to do about it. */
export type Finding = { status: 'ok' | 'warning' | 'failure'; detail: string; advice?: string }

/** What there is to look at. Without a database `absence` says why. */
export type CheckContext = {
  config: Config
  dataDirectory: string
  database: Database | undefined
  /** For what takes longer than the patience of `database`. */
  connection: pg.ClientConfig | undefined
  /** What stands between us and the server. */
  pooling: Pooling
  absence: Finding
  /** What can be put right is put right. */
  repair: boolean
}

export type Check = { name: string; run(context: CheckContext): Finding | Promise<Finding> }

/** A check that asks the database. Where there is none, that is told once, by the check named database. */
export function onDatabase(
  name: string,
  ask: (database: Database, context: CheckContext) => Promise<Finding>,
): Check {
  return {
    name,
    run: async (context) => {
      const { database, absence } = context
      if (database !== undefined) return ask(database, context)
      if (name === 'database' || absence.status === 'ok') return absence
      return warning('not looked at', 'see the database first')
    },
  }
}

export function ok(detail: string): Finding {
  return { status: 'ok', detail }
}

export function warning(detail: string, advice: string): Finding {
  return { status: 'warning', detail, advice }
}

export function failure(detail: string, advice: string): Finding {
  return { status: 'failure', detail, advice }
}
