import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Pooling } from '../../platform/database/connections/pooler.ts'
import type { Database } from '../../platform/database/database.ts'

/** What a check found, in a sentence; `advice` says what to do about it. */
export type Finding = { status: 'ok' | 'warning' | 'failure'; detail: string; advice?: string }

/** What the checks look at. `absence` says why there is no database. */
export type CheckContext = {
  config: Config
  dataDirectory: string
  database: Database | undefined
  /** For a check that opens connections of its own, because its statements take longer than `database` allows. */
  connection: pg.ClientConfig | undefined
  /** How a pooler between the service and the server lends its connections. */
  pooling: Pooling
  absence: Finding
  /** Whether checks repair what they can. */
  repair: boolean
}

export type Check = { name: string; run(context: CheckContext): Finding | Promise<Finding> }

/** A check that asks the database. Where there is none, only the check named database says why. */
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
