import type { Command } from 'commander'
import { refuseUsed } from '../../backup/refuse-used.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { type CommonOptions, command, print, withConnection } from '../command.ts'
import { progressBar } from '../progress.ts'
import { describeManifest } from './backup.ts'

const megabyte = 1_000_000

export function restoreCommand(): Command {
  return command('restore', 'make an empty database what a backup holds')
    .argument('<file>', 'file that catalog backup has written')
    .addHelpText(
      'after',
      `
The database must have no project and no user, and no service may use it. A file that was cut or altered is refused; a restore that fails leaves the database empty.
Afterwards everybody signs in again, and nothing runs by a schedule before "catalog serve" is told to.

Examples:
  catalog restore catalog.backup --data ./restored
  DATABASE_URL=postgres://localhost/restored catalog restore catalog.backup`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const progress = progressBar('MB')
      const { manifest, applied } = await withConnection(options, async (connection, signal) => {
        await refuseUsed(connection, signal)
        return restoreBackup(connection, file, {
          signal,
          tell: (line) => console.error(line),
          onProgress: (bytes, part) => progress.show(Math.round(bytes / megabyte), part),
        })
      }).finally(progress.end)
      print(options, {
        file,
        ...describeManifest(manifest),
        migrations_applied: applied,
        sessions: 'dropped: everybody signs in again',
        schedules: 'none runs until told: serve --backup-every',
      })
    })
}
