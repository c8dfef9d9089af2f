import type { Command } from 'commander'
import { type UpgradeStep, upgradePostgres } from '../../../operations/move/upgrade-postgres.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, interruptible, print } from '../../command.ts'

const steps: Record<UpgradeStep, string> = {
  alone: 'reading the older database, which nothing else uses',
  saved: 'writing the data to a new cluster',
  restored: 'all data is written; stopping both servers',
  ready: 'replacing the older cluster with the new one',
  apart: 'the older cluster is set aside',
}

export function upgradePostgresCommand(): Command {
  return command(
    'upgrade-postgres',
    'Upgrade the data of an older embedded PostgreSQL to the current major version',
  )
    .option(
      '--programs <folder>',
      'Folder of the older PostgreSQL programs, such as /usr/lib/postgresql/17/bin',
    )
    .addHelpText(
      'after',
      `
Stop all services first. If the upgrade is interrupted, run the command again. The older data stays in the data folder until you
remove it.

Example:
  catalog upgrade-postgres --programs /usr/lib/postgresql/17/bin`,
    )
    .action(upgrade)
}

async function upgrade({ programs, ...options }: CommonOptions & { programs?: string }): Promise<void> {
  const { dataDirectory } = configFrom(options)
  const chosen = programs === undefined ? {} : { programs }
  const upgraded = await watchCopy((watch) =>
    interruptible((signal) =>
      upgradePostgres(dataDirectory, {
        ...chosen,
        ...watch,
        signal,
        onStep: (step) => watch.report(steps[step]),
      }),
    ),
  )
  print(
    options,
    upgraded === undefined
      ? { upgraded: 'nothing; the data already has the current PostgreSQL version' }
      : {
          from: upgraded.from,
          to: upgraded.to,
          older_data: `${upgraded.older}; remove it when you no longer need it`,
          sessions: 'not copied; all users have to sign in again',
        },
  )
}
