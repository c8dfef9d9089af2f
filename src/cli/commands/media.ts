import { Command, Option } from 'commander'
import { listAssets } from '../../catalog/assets/asset.sql.ts'
import { fetchMedia } from '../../catalog/media-fetch/fetch-media.ts'
import { adoptMediaStore } from '../../catalog/media-store/adopt-store.ts'
import { compareFiles } from '../../catalog/media-store/compare-files.ts'
import { requireMediaFiles } from '../../catalog/media-store/media-files.ts'
import { openMediaStore } from '../../catalog/media-store/media-store.ts'
import { listOriginals } from '../../catalog/media-store/stored-files.sql.ts'
import { assetId } from '../../model/assets/asset-id.ts'
import { type AssetKind, assetKinds } from '../../model/assets/asset-types.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { fileFetcher } from '../../platform/outbound/fetch-file.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'
import { allRows, commandWithProject, type ProjectOptions, withProject } from '../project-command.ts'

type AdoptOptions = CommonOptions & { yes?: boolean }
type ListOptions = ProjectOptions & { kind?: AssetKind; unused?: boolean }

export function mediaCommand(): Command {
  const list = commandWithProject('list', "List a project's media files, newest first")
    .addOption(new Option('--kind <kind>', 'Only files of this kind').choices(assetKinds))
    .option('--unused', 'Only files that no product shows or has shown')
    .addHelpText('after', '\nExample:\n  catalog media list --project 1 --unused')
    .action(listFiles)
  const adopt = command('adopt', 'Use the configured store, and allow the service to remove files from it')
    .option('--yes', 'Skip the confirmation')
    .addHelpText(
      'after',
      `
After a restore, the service does not remove media files, because the original database may use the same store. Run this command
when no other database uses it, or after you copy the files to another store and set CATALOG_MEDIA. The command reports how many
files are missing from the store.

Example:
  catalog media adopt`,
    )
    .action(async (options: AdoptOptions) => {
      const store = requireMediaFiles(configFrom(options))
      if (options.yes !== true)
        await confirm({
          question: `The service will remove unused files from ${store.description}. Type "adopt" to confirm that no other database uses it:`,
          expected: 'adopt',
          option: '--yes',
        })
      const adopted = await withDatabase(options, async (database) => ({
        ...(await adoptMediaStore(database, commandLineActor(), store)),
        ...(await compareFiles(listOriginals(database), store)),
      }))
      print(options, adopted)
      if (adopted.missing > 0) process.exitCode = 1
    })
  const fetch = commandWithProject('fetch', 'Store the files on other servers that products show')
    .addHelpText(
      'after',
      `
The command fetches each file over https and makes the products show the stored file. The old URLs stay in the history. If the
command is interrupted, run it again. It continues with the products that still show files on other servers.

Example:
  catalog media fetch --project 1`,
    )
    .action(async (options: ProjectOptions) => {
      const files = requireMediaFiles(configFrom(options))
      print(options, await withProject(options, (database) => fetchWithProgress(database, files, options)))
    })
  return new Command('media')
    .description('Manage media files and their store')
    .addCommand(list)
    .addCommand(adopt)
    .addCommand(fetch)
}

async function listFiles({ kind, unused, ...options }: ListOptions): Promise<void> {
  const filters = { ...(kind && { kind }), ...(unused && { unused }) }
  const { results } = await withProject(options, (database) =>
    listAssets(database, options.project, filters, allRows),
  )
  const rows = results.map(({ hash, mime, bytes, width, height, state, created_at }) => {
    return { id: assetId(hash), mime, bytes, width, height, state, created_at }
  })
  print(options, rows)
}

async function fetchWithProgress(
  database: Database,
  files: FileStore,
  { project: projectId }: ProjectOptions,
): Promise<object> {
  const store = await openMediaStore(database, files).require()
  const fetcher = fileFetcher()
  const bar = progressBar('files')
  try {
    if (!(await fetcher.isSafe())) throw new Error('connections to private networks would not be blocked')
    return await fetchMedia({
      ...{ database, fetcher, store, projectId, onProgress: (count) => bar.show(count) },
      onFailure: (url, reason) => console.error(`${escapeControlCharacters(url)}: ${reason}`),
    })
  } finally {
    bar.end()
    fetcher.close()
  }
}
