import type { Command } from 'commander'
import type { Manifest } from '../../operations/backup/manifest.ts'
import { saveBackup } from '../../operations/backup/save-backup.ts'
import { verifyBackup } from '../../operations/backup/verify-backup.ts'
import { writeBackup } from '../../operations/backup/write-backup.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import { type CommonOptions, command, interruptible, print, withConnection } from '../command.ts'

const megabyte = 1_000_000

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
      const progress = progressBar('MB')
      const { manifest, wrongCounts } = await interruptible((signal) =>
        verifyBackup(file, {
          signal,
          onProgress: (bytes, part) => progress.show(Math.round(bytes / megabyte), part),
        }),
      ).finally(progress.end)
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
  const progress = progressBar('MB')
  await withConnection(options, async (connection, signal) => {
    const shared = {
      signal,
      areKeysIncluded: includeKeys === true,
      tell: (line: string) => console.error(line),
      onProgress: (bytes: number) => progress.show(Math.round(bytes / megabyte)),
    }
    if (output === '-') {
      // Whoever reads the output of other commands may leave early; a backup that was not read to its end is a failure.
      process.stdout.removeAllListeners('error')
      return void (await writeBackup(connection, process.stdout, shared))
    }
    const { manifest, bytes } = await saveBackup(connection, output, { ...shared, force: force === true })
    progress.end()
    const keys = includeKeys === true ? 'included' : 'not included'
    print(options, { file: output, bytes, ...describeManifest(manifest), keys })
  }).finally(progress.end)
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
