import type { Command } from 'commander'
import { openBackup } from '../../../operations/backup/open-backup.ts'
import { refuseUsed } from '../../../operations/backup/refuse-used.ts'
import { restoreBackup } from '../../../operations/backup/restore-backup.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, print, withConnection } from '../../command.ts'
import { describeManifest } from './backup.ts'

export function restoreCommand(): Command {
  return command('restore', 'make an empty database what a backup holds')
    .argument('<file>', 'file that catalog backup has written')
    .addHelpText(
      'after',
      `
The database must have no project and no user, and no service may use it. A file that was cut or altered is refused; a restore that fails leaves the database empty.
Afterwards everybody signs in again, and all webhooks are disabled. Scheduled backups start with "catalog serve --backup-every".

Examples:
  catalog restore catalog.backup --data ./restored
  DATABASE_URL=postgres://localhost/restored catalog restore catalog.backup`,
    )
    .action(async (file: string, options: CommonOptions) => {
      // First, so that a file that cannot be restored leaves no new cluster in the data folder.
      const backup = await openBackup(file)
      const { manifest, applied } = await watchCopy((watch) =>
        withConnection(options, async (connection, signal) => {
          await refuseUsed(connection, signal)
          return restoreBackup(connection, backup, { ...watch, signal })
        }),
      )
      print(options, {
        file,
        ...describeManifest(manifest),
        migrations_applied: applied,
        sessions: 'dropped: everybody signs in again',
        webhooks: `disabled: ${
          manifest.left_out_key_id === undefined
            ? 'enable the ones that should deliver again'
            : 'the backup does not contain their key; rotate the secrets of webhooks with secret_unreadable'
        }`,
        schedules: 'none runs until told: serve --backup-every',
      })
    })
}
