import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type MoveStep, moveDatabase } from '../../../operations/move/move-database.ts'
import { locateDataDirectory } from '../../../platform/database/embedded/data-directory.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, interruptible, print } from '../../command.ts'
import { describeManifest } from './backup.ts'

const steps: Record<MoveStep, string> = {
  alone: 'reading the embedded database, which nothing else uses',
  saved: 'writing the data to the target database',
  announced: 'all data is written; committing',
  restored: 'the target database is complete',
}

export function moveCommand(): Command {
  return command('move', 'Move the embedded database to your own PostgreSQL server')
    .option('--to <url>', 'Empty target database; CATALOG_MOVE_TO keeps the password out of the process list')
    .addHelpText(
      'after',
      `
Stop all services first. The copy is atomic: if it is interrupted, run the command again. The data stays in the data folder, and
the command adds a file named moved.json. Services and commands without DATABASE_URL then refuse to use that folder. In the copy,
all AI providers are disabled, and prompt runs in progress are paused.

Example:
  CATALOG_MOVE_TO=postgres://user:password@host/catalog catalog move`,
    )
    .action(move)
}

/** The files do not move with the database, and the service would not find them. */
function describeMedia(options: CommonOptions): { media?: string } {
  const config = configFrom(options)
  const folder = join(locateDataDirectory(config), 'media')
  return config.media === undefined && existsSync(folder)
    ? { media: `the files are in ${folder}; set CATALOG_MEDIA to this folder, or to a copy of it` }
    : {}
}

async function move({ to, ...options }: CommonOptions & { to?: string }): Promise<void> {
  const { dataDirectory, moveTo } = configFrom(options, { moveTo: to })
  if (moveTo === undefined)
    throw new Error('set CATALOG_MOVE_TO, CATALOG_MOVE_TO_FILE or --to to the target database')
  const { mark, manifest } = await watchCopy((watch) =>
    interruptible((signal) =>
      moveDatabase(dataDirectory, moveTo, { ...watch, signal, onStep: (step) => watch.report(steps[step]) }),
    ),
  )
  print(options, {
    moved_to: mark.to,
    moved_at: mark.moved_at,
    ...(manifest === undefined
      ? { copied: 'nothing; the target database already contains all data' }
      : describeManifest(manifest)),
    ...describeMedia(options),
    ai_providers: 'disabled, and runs in progress are paused; enable those that may spend money',
    next: 'set DATABASE_URL to this database; all users have to sign in again',
  })
}
