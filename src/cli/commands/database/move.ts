import type { Command } from 'commander'
import { type MoveStep, moveDatabase } from '../../../operations/backup/move-database.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, interruptible, print } from '../../command.ts'
import { describeManifest } from './backup.ts'

const steps: Record<MoveStep, string> = {
  alone: 'nobody else uses the embedded PostgreSQL; reading it',
  saved: 'writing it to the other database',
  announced: 'all of it is written; committing',
  restored: 'the other database is whole',
}

export function moveCommand(): Command {
  return command('move', 'copy the embedded database to a server of your own, which is used from then on')
    .option('--to <url>', 'the empty database (CATALOG_MOVE_TO, which others on this machine do not see)')
    .addHelpText(
      'after',
      `
Stop the services first. The other database gets all or nothing; when it was cut off, run it again. The data folder stays as it is, but
for a mark, moved.json, by which services and commands without DATABASE_URL refuse to use it.

Example:
  CATALOG_MOVE_TO=postgres://user:password@host/catalog catalog move`,
    )
    .action(move)
}

async function move({ to, ...options }: CommonOptions & { to?: string }): Promise<void> {
  const { dataDirectory, moveTo } = configFrom(options, { moveTo: to })
  if (moveTo === undefined)
    throw new Error('say with CATALOG_MOVE_TO, CATALOG_MOVE_TO_FILE or --to which database to move to')
  const { mark, manifest } = await watchCopy((watch) =>
    interruptible((signal) =>
      moveDatabase(dataDirectory, moveTo, { ...watch, signal, onStep: (step) => watch.tell(steps[step]) }),
    ),
  )
  print(options, {
    moved_to: mark.to,
    moved_at: mark.moved_at,
    ...(manifest === undefined
      ? { copied: 'nothing: all of it is there already' }
      : describeManifest(manifest)),
    next: 'set DATABASE_URL to that database; everybody signs in again',
  })
}
