import type { Command } from 'commander'
import { type CheckResult, runChecks } from '../../../operations/doctor/run-checks.ts'
import { command } from '../../command.ts'
import { addServeOptions, type ServeOptions, serveConfig } from './serve-options.ts'

const severity = ['ok', 'warning', 'failure'] as const

export function doctorCommand(): Command {
  return addServeOptions(
    command('doctor', 'Check whether the service can run with these settings, and suggest fixes'),
  )
    .option('--repair', 'Fix stored counts, product references, and variants without a link to their parent')
    .addHelpText(
      'after',
      `
The command takes the same settings as serve. Without --repair, it changes nothing. It exits with 1 if a check fails.

Examples:
  catalog doctor
  DATABASE_URL=postgres://localhost/catalog catalog doctor --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem \\
    --base-url https://catalog.example --json`,
    )
    .action(async (options: ServeOptions & { repair?: boolean }) => {
      const checks = await runChecks(() => serveConfig(options), options.repair)
      const status = severity.findLast((one) => checks.some((check) => check.status === one)) ?? 'ok'
      console.log(options.json === true ? JSON.stringify({ status, checks }) : describe(checks))
      if (status === 'failure') process.exitCode = 1
    })
}

function describe(checks: CheckResult[]): string {
  const width = Math.max(...checks.map(({ check }) => check.length))
  return checks
    .map(({ check, status, detail, advice }) => {
      const line = `${status.padEnd(7)}  ${check.padEnd(width)}  ${detail}`
      return advice === undefined ? line : `${line}\n${' '.repeat(width + 11)}→ ${advice}`
    })
    .join('\n')
}
