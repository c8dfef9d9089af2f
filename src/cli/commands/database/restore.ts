import type { Command } from 'commander'
import { openBackup } from '../../../operations/backup/open-backup.ts'
import { requireUnusedDatabase } from '../../../operations/backup/require-unused-database.ts'
import { restoreBackup } from '../../../operations/backup/restore-backup.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, print, withConnection } from '../../command.ts'
import { describeManifest } from './backup.ts'

export function restoreCommand(): Command {
  return command('restore', 'Restore a backup into an empty database')
    .argument('<file>', 'Backup file')
    .addHelpText(
      'after',
      `
The database must contain no projects and no users, and no service may use it. The command rejects a truncated or modified file.
If a restore fails, the database stays empty.

After a restore, all users have to sign in again and all webhooks are disabled. To schedule backups, run
"catalog serve --backup-every".

Examples:
  catalog restore catalog.backup --data ./restored
  DATABASE_URL=postgres://localhost/restored catalog restore catalog.backup`,
    )
    .action(async (file: string, options: CommonOptions) => {
      // Checked first, so that an invalid file leaves no new cluster in the data folder.
      const backup = await openBackup(file)
      const { manifest, applied } = await watchCopy((watch) =>
        withConnection(options, async (connection, signal) => {
          await requireUnusedDatabase(connection, signal)
          return restoreBackup(connection, backup, { ...watch, signal })
        }),
      )
      print(options, {
        file,
        ...describeManifest(manifest),
        migrations_applied: applied,
        sessions: 'not restored; all users have to sign in again',
        webhooks: `disabled; ${
          manifest.left_out_key_id === undefined
            ? 'enable those that should deliver again'
            : 'the backup does not contain their key, so rotate the secret of each webhook with secret_unreadable'
        }`,
        schedules: 'backups are not scheduled; use "catalog serve --backup-every"',
      })
    })
}
