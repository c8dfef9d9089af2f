import type { Command } from 'commander'
import type { Manifest } from '../../backup/manifest.ts'
import { saveBackup } from '../../backup/save-backup.ts'
import { writeBackup } from '../../backup/write-backup.ts'
import { type CommonOptions, command, print, withConnection } from '../command.ts'
import { progressBar } from '../progress.ts'

const megabyte = 1_000_000

type BackupOptions = CommonOptions & { output?: string; force?: boolean }

export function backupCommand(): Command {
  return command('backup', 'write all projects, users and settings to one file, beside a running service')
    .option('--output <file>', 'file to write; - is the standard output')
    .option('--force', 'replace the file where it exists')
    .addHelpText(
      'after',
      `
The file is for its owner alone (mode 0600): it holds hashes of passwords and tokens. Console sessions are not in it.

Examples:
  catalog backup --output catalog.backup
  catalog backup --output - | ssh backups.example 'cat > catalog.backup'`,
    )
    .action(backUp)
}

async function backUp({ output, force, ...options }: BackupOptions): Promise<void> {
  if (output === undefined)
    throw new Error('say with --output where to write the backup (- is standard output)')
  const progress = progressBar('MB')
  await withConnection(options, async (connection, signal) => {
    const shared = {
      signal,
      tell: (line: string) => console.error(line),
      onProgress: (bytes: number) => progress.show(Math.round(bytes / megabyte)),
    }
    if (output === '-') return void (await writeBackup(connection, process.stdout, shared))
    const { manifest, bytes } = await saveBackup(connection, output, { ...shared, force: force === true })
    progress.end()
    print(options, { file: output, bytes, ...describeManifest(manifest) })
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
