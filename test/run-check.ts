import { loadConfig } from '../src/config.ts'
import { type Check, type Finding, ok } from '../src/operations/doctor/check.ts'
import { openDatabase } from '../src/platform/database/database.ts'

/** What `catalog doctor` reports for one check. The other checks take longer; one of them starts a process. */
export async function runCheck(check: Check, environment: Record<string, string>): Promise<Finding> {
  const config = loadConfig({}, environment)
  const connection = { connectionString: config.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const context = { config, dataDirectory: '', database, connection, absence: ok('') }
  try {
    return await check.run({ ...context, pooling: 'none', repair: false })
  } finally {
    await database.close()
  }
}
