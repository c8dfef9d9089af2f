import type { Command } from 'commander'
import { findMediaFiles, requireMediaFiles } from '../../../catalog/media-store/media-files.ts'
import type { Manifest } from '../../../operations/backup/manifest.ts'
import { saveBackup } from '../../../operations/backup/save-backup.ts'
import { verifyBackup } from '../../../operations/backup/verify-backup.ts'
import { writeBackup } from '../../../operations/backup/write-backup.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import {
  type CommonOptions,
  command,
  configFrom,
  interruptible,
  print,
  withConnection,
} from '../../command.ts'

type BackupOptions = CommonOptions & {
  output?: string
  force?: boolean
  includeKeys?: boolean
  withMedia?: boolean
}

export function backupCommand(): Command {
  return command(
    'backup',
    'Back up all projects, users and settings to a file (the service can keep running)',
  )
    .option('--output <file>', 'Output file; - writes to standard output')
    .option('--force', 'Replace an existing file')
    .option(
      '--include-keys',
      'Include the encryption keys, so that webhooks and AI providers work after a restore',
    )
    .option(
      '--with-media',
      'Include the media files; otherwise, the backup lists only their hashes and sizes',
    )
    .addHelpText(
      'after',
      `
The file contains password and token hashes, so only its owner can read it (mode 0600). It does not contain console sessions.
Without --include-keys, it does not contain the key that encrypts webhook secrets and the keys of AI providers: after a restore,
rotate these secrets and send these keys again. If you set CATALOG_WEBHOOK_KEY, that is not necessary.

Examples:
  catalog backup --output catalog.backup
  catalog backup verify catalog.backup
  catalog backup --output - | ssh backups.example 'cat > catalog.backup'`,
    )
    .addCommand(verifyCommand())
    .action(backUp)
}

function verifyCommand(): Command {
  return command('verify', 'Verify a backup by restoring it into a temporary PostgreSQL')
    .argument('<file>', 'Backup file')
    .addHelpText('after', '\nExample:\n  catalog backup verify catalog.backup')
    .action(async (file: string, _own: CommonOptions, self: Command) => {
      // The parent command has options of the same names and takes them for its own.
      const options = self.optsWithGlobals<CommonOptions>()
      const compareWith = findMediaFiles(configFrom(options))
      const { manifest, wrongCounts, media } = await watchCopy(({ onProgress }) =>
        interruptible((signal) => verifyBackup(file, { signal, onProgress, compareWith })),
      )
      const missing = media && { missing_files: media.missing }
      print(options, { file, ...describeManifest(manifest), wrong_counts: wrongCounts, ...missing })
      if (wrongCounts > 0)
        throw new Error(
          `the backup can be restored, but ${wrongCounts} stored counts do not match its products; run "catalog doctor --repair" on the original database`,
        )
      if (media !== undefined && media.missing > 0)
        throw new Error(
          `${media.missing} of ${media.files} media files are missing${media.example === undefined ? '' : `, such as ${media.example}`}`,
        )
    })
}

async function backUp({ output, force, includeKeys, withMedia, ...options }: BackupOptions): Promise<void> {
  if (output === undefined || output === '')
    throw new Error('use --output to name the backup file (- writes to standard output)')
  const areKeysIncluded = includeKeys === true
  const store = withMedia === true ? requireMediaFiles(configFrom(options)) : undefined
  const saved = await watchCopy((watch) =>
    withConnection(options, async (connection, signal) => {
      const shared = { ...watch, signal, areKeysIncluded, store }
      if (output !== '-') return saveBackup(connection, output, { ...shared, force: force === true })
      // Other commands ignore a reader that closes the pipe early. A backup that was not read completely is a failure.
      process.stdout.removeAllListeners('error')
      await writeBackup(connection, process.stdout, shared)
      return undefined
    }),
  )
  if (saved === undefined) return
  const keys = areKeysIncluded ? 'included' : 'not included'
  print(options, {
    file: output,
    bytes: saved.bytes,
    ...describeManifest(saved.manifest),
    keys,
    media: describeMedia(saved.manifest),
  })
}

/** Whether the files of assets are in the backup. */
export function describeMedia({ media }: Manifest): string {
  if (media === undefined || media.files === 0) return 'no files'
  const { files, included } = media
  if (included === undefined) return `${files} files, not included`
  return included.files === files
    ? `${files} files`
    : `${included.files} of ${files} files; others are missing`
}

export function describeManifest({ taken_at, release, tables }: Manifest) {
  const rowsOf = (wanted: string) => tables.find(({ name }) => name === wanted)?.rows ?? 0
  return {
    taken_at,
    release,
    projects: rowsOf('projects'),
    products: rowsOf('products'),
    users: rowsOf('users'),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  }
}
