import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Pooling } from '../../platform/database/connections/pooler.ts'
import type { Database } from '../../platform/database/database.ts'

/** The result of a check in one sentence; `advice` is how to fix it. */
export type Finding = { status: 'ok' | 'warning' | 'failure'; detail: string; advice?: string }

/** The input of all checks. `absence` explains why there is no database. */
export type CheckContext = {
  config: Config
  dataDirectory: string
  database: Database | undefined
  /** For checks whose statements take longer than `database` allows. */
  connection: pg.ClientConfig | undefined
  /** The mode of a pooler between the service and the server. */
  pooling: Pooling
  absence: Finding
  /** Whether checks repair what they find. */
  repair: boolean
}

export type Check = { name: string; run(context: CheckContext): Finding | Promise<Finding> }

/** A check that queries the database. Without a database, only the check named database explains why. */
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
      return warning('not checked', 'fix the database check first')
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
