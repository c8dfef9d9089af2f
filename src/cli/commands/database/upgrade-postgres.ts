import type { Command } from 'commander'
import { type UpgradeStep, upgradePostgres } from '../../../operations/backup/upgrade-postgres.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, interruptible, print } from '../../command.ts'

const steps: Record<UpgradeStep, string> = {
  alone: 'nobody else uses the older PostgreSQL; reading it',
  saved: 'writing it to a new cluster',
  restored: 'all of it is written; stopping both servers',
  ready: 'putting the new cluster in the place of the older one',
  apart: 'the older one is put aside',
}

export function upgradePostgresCommand(): Command {
  return command(
    'upgrade-postgres',
    'take the data of an older embedded PostgreSQL to the one of this version',
  )
    .option('--programs <folder>', 'the older programs, such as /usr/lib/postgresql/17/bin')
    .addHelpText(
      'after',
      `
Stop the services first. The older data stays beside the new until you remove it. When it was cut off, run it again.

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
        onStep: (step) => watch.tell(steps[step]),
      }),
    ),
  )
  print(
    options,
    upgraded === undefined
      ? { upgraded: 'nothing: the data is of the PostgreSQL of this version' }
      : {
          from: upgraded.from,
          to: upgraded.to,
          older_data: `${upgraded.older}: remove it when you do not want to go back`,
          sessions: 'dropped: everybody signs in again',
        },
  )
}
