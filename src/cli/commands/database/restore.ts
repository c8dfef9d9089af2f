import type { Command } from 'commander'
import { findMediaFiles, requireMediaFiles } from '../../../catalog/media-store/media-files.ts'
import type { Config } from '../../../config.ts'
import type { Manifest } from '../../../operations/backup/manifest.ts'
import { openBackup } from '../../../operations/backup/open-backup.ts'
import { requireUnusedDatabase } from '../../../operations/backup/require-unused-database.ts'
import { restoreBackup } from '../../../operations/backup/restore-backup.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, print, withConnection } from '../../command.ts'
import { describeManifest, describeMedia } from './backup.ts'

export function restoreCommand(): Command {
  return command('restore', 'Restore a backup into an empty database')
    .argument('<file>', 'Backup file')
    .addHelpText(
      'after',
      `
The database must contain no projects and no users, and no service may use it. The command rejects a truncated or modified file.
If a restore fails, the database stays empty.

After a restore, all users have to sign in again. All webhooks and AI providers are disabled, and prompt runs in progress are paused.
To schedule backups, run "catalog serve --backup-every". No media file is removed until you run "catalog media adopt", because the
original database may still use the same files.

Examples:
  catalog restore catalog.backup --data ./restored
  DATABASE_URL=postgres://localhost/restored catalog restore catalog.backup`,
    )
    .action(async (file: string, options: CommonOptions) => {
      // Checked first, so that an invalid file leaves no new cluster in the data folder.
      const backup = await openBackup(file)
      const { media } = backup.manifest
      const config = configFrom(options)
      const store = media?.included === undefined ? undefined : requireMediaFiles(config)
      const { manifest, applied } = await watchCopy((watch) =>
        withConnection(options, async (connection, signal) => {
          await requireUnusedDatabase(connection, signal)
          return restoreBackup(connection, backup, { ...watch, signal, store })
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
        ai_providers: 'disabled, and runs in progress are paused; enable those that may spend money',
        ...(media !== undefined && media.files > 0 && { media: describeRestored(backup.manifest, config) }),
        schedules: 'backups are not scheduled; use "catalog serve --backup-every"',
      })
    })
}

function describeRestored(manifest: Manifest, config: Config): string {
  const place = findMediaFiles(config)?.description ?? 'the folder or S3 bucket that CATALOG_MEDIA names'
  const files = describeMedia(manifest)
  return manifest.media?.included === undefined
    ? `${files}; copy them to ${place}, or use the original store, then run "catalog media adopt"`
    : `${files} written to ${place}; run "catalog media adopt"`
}
