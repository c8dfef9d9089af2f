import type { Command } from 'commander'
import type { Manifest } from '../../../operations/backup/manifest.ts'
import { saveBackup } from '../../../operations/backup/save-backup.ts'
import { verifyBackup } from '../../../operations/backup/verify-backup.ts'
import { writeBackup } from '../../../operations/backup/write-backup.ts'
import { watchCopy } from '../../../platform/terminal/progress.ts'
import { type CommonOptions, command, interruptible, print, withConnection } from '../../command.ts'

type BackupOptions = CommonOptions & { output?: string; force?: boolean; includeKeys?: boolean }

export function backupCommand(): Command {
  return command('backup', 'write all projects, users and settings to one file, beside a running service')
    .option('--output <file>', 'file to write; - is the standard output')
    .option('--force', 'replace the file where it exists')
    .option(
      '--include-keys',
      'also save the keys that the database stores, so that you can enable webhooks after a restore',
    )
    .addHelpText(
      'after',
      `
Only the owner can read the file (mode 0600): it contains hashes of passwords and tokens. Console sessions are not in it, nor are the
keys that the database keeps. Without --include-keys, rotate the secrets of your webhooks after a restore. Secrets that
CATALOG_WEBHOOK_KEY encrypts don't need that.

Examples:
  catalog backup --output catalog.backup
  catalog backup verify catalog.backup
  catalog backup --output - | ssh backups.example 'cat > catalog.backup'`,
    )
    .addCommand(verifyCommand())
    .action(backUp)
}

function verifyCommand(): Command {
  return command('verify', 'restore a backup into a PostgreSQL of its own, look at the result, and remove it')
    .argument('<file>', 'file that catalog backup has written')
    .addHelpText('after', '\nExample:\n  catalog backup verify catalog.backup')
    .action(async (file: string, _own: CommonOptions, self: Command) => {
      // The command above takes options of the same names for its own, wherever they stand.
      const options = self.optsWithGlobals<CommonOptions>()
      const { manifest, wrongCounts } = await watchCopy(({ onProgress }) =>
        interruptible((signal) => verifyBackup(file, { signal, onProgress })),
      )
      print(options, { file, ...describeManifest(manifest), wrong_counts: wrongCounts })
      if (wrongCounts > 0)
        throw new Error(
          `the backup restores, and ${wrongCounts} kept counts in it differ from the products; run "catalog doctor --repair" where it was made`,
        )
    })
}

async function backUp({ output, force, includeKeys, ...options }: BackupOptions): Promise<void> {
  if (output === undefined || output === '')
    throw new Error('say with --output where to write the backup (- is standard output)')
  const areKeysIncluded = includeKeys === true
  const saved = await watchCopy((watch) =>
    withConnection(options, async (connection, signal) => {
      const shared = { ...watch, signal, areKeysIncluded }
      if (output !== '-') return saveBackup(connection, output, { ...shared, force: force === true })
      // Whoever reads the output of other commands may leave early; a backup that was not read to its end is a failure.
      process.stdout.removeAllListeners('error')
      await writeBackup(connection, process.stdout, shared)
      return undefined
    }),
  )
  if (saved === undefined) return
  const keys = areKeysIncluded ? 'included' : 'not included'
  print(options, { file: output, bytes: saved.bytes, ...describeManifest(saved.manifest), keys })
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
