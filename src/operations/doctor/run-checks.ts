import { type Config, refuseUnsafeListening } from '../../config.ts'
import { type ReachedServer, reachServer } from '../../platform/database/connections/reach-server.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import { hasCluster } from '../../platform/database/embedded/swap-clusters.ts'
import { backupPlan } from '../backup/backup-plan.ts'
import { type Check, type CheckContext, type Finding, failure, ok } from './check.ts'
import { backupsCheck } from './check-backups.ts'
import { certificateCheck } from './check-certificate.ts'
import { countsCheck } from './check-counts.ts'
import { databaseChecks } from './check-database.ts'
import { diskCheck } from './check-disk.ts'
import { eventsCheck } from './check-events.ts'
import { jobsCheck } from './check-jobs.ts'
import { mediaCheck, thumbnailsCheck } from './check-media.ts'
import { providersCheck } from './check-providers.ts'
import { serverChecks } from './check-server.ts'
import { signInCheck } from './check-sign-in.ts'
import { structureCheck } from './check-structure.ts'
import { viewsCheck } from './check-views.ts'

/** Every check, in the order of the report. */
const checks: Check[] = [
  certificateCheck,
  diskCheck,
  ...databaseChecks,
  ...serverChecks,
  countsCheck,
  structureCheck,
  viewsCheck,
  signInCheck,
  eventsCheck,
  jobsCheck,
  providersCheck,
  mediaCheck,
  thumbnailsCheck,
  backupsCheck,
]

export type CheckResult = Finding & { check: string }

/** Runs all checks, starting the embedded server if needed. Without `repair`, they change nothing. */
export async function runChecks(readConfig: () => Config, repair = false): Promise<CheckResult[]> {
  let config: Config
  try {
    config = readConfig()
    refuseUnsafeListening(config)
    backupPlan(config)
  } catch (error) {
    const finding = failure((error as Error).message, 'correct the setting, then run the command again')
    return [{ check: 'configuration', ...finding }]
  }
  const { host, port, workers } = config
  const detail = `listens on ${host}, port ${port}, with ${workers} ${workers === 1 ? 'worker' : 'workers'}`
  return [{ check: 'configuration', ...ok(detail) }, ...(await checkWith(config, repair))]
}

async function checkWith(config: Config, repair: boolean): Promise<CheckResult[]> {
  let dataDirectory: string
  try {
    dataDirectory = locateDataDirectory(config)
  } catch (error) {
    return [
      { check: 'data folder', ...failure((error as Error).message, 'choose another folder with --data') },
    ]
  }
  const { server, absence } = await reach(config, dataDirectory)
  const database =
    server && openDatabase({ connection: server.connection, poolSize: 1, statementTimeoutSeconds: 5 })
  try {
    const { connection, pooling = 'none' as const } = server ?? {}
    const context = { config, dataDirectory, database, connection, pooling, absence, repair }
    const found: CheckResult[] = []
    for (const check of checks) found.push({ check: check.name, ...(await runCheck(check, context)) })
    return found
  } finally {
    await database?.close()
    await server?.release()
  }
}

async function runCheck({ run }: Check, context: CheckContext): Promise<Finding> {
  try {
    return await run(context)
  } catch (error) {
    return failure(`the check failed: ${(error as Error).message}`, 'run the command again')
  }
}

async function reach(
  config: Config,
  dataDirectory: string,
): Promise<{ server?: ReachedServer; absence: Finding }> {
  const isNew = config.databaseUrl === undefined && !hasCluster(dataDirectory)
  if (isNew)
    return { absence: ok('not checked; the embedded database does not exist before the first start') }
  try {
    return { server: await reachServer(config), absence: ok('') }
  } catch (error) {
    return {
      absence: failure((error as Error).message, 'fix the cause, then run the command again'),
    }
  }
}
