import { Command } from 'commander'
import { adoptMediaStore } from '../../catalog/assets/adopt-store.ts'
import { openMediaFiles } from '../../catalog/assets/media-files.ts'
import { openMediaStore } from '../../catalog/assets/media-store.ts'
import { fetchMedia } from '../../catalog/media-fetch/fetch-media.ts'
import type { Database } from '../../platform/database/database.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { fileFetcher } from '../../platform/outbound/fetch-file.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../project-command.ts'

type AdoptOptions = CommonOptions & { yes?: boolean }

export function mediaCommand(): Command {
  const adopt = command('adopt', 'Use the configured store, and allow the service to remove files from it')
    .option('--yes', 'Skip the confirmation')
    .addHelpText(
      'after',
      `
After a restore, the service removes no media file, because the original database may use the same store. Run this command
when no other database uses it, or after you copied the files to another store and set CATALOG_MEDIA.

Example:
  catalog media adopt`,
    )
    .action(async (options: AdoptOptions) => {
      const store = requireStore(options)
      if (options.yes !== true)
        await confirm({
          question: `The service then removes unused files from ${store.description}. Type "adopt" to confirm that no other database uses it:`,
          expected: 'adopt',
          option: '--yes',
        })
      print(
        options,
        await withDatabase(options, (database) => adoptMediaStore(database, commandLineActor(), store)),
      )
    })
  const fetch = commandWithProject('fetch', 'Store the media files that products refer to on other servers')
    .addHelpText(
      'after',
      `
The command fetches each file over https and makes the products show the stored file. The old URLs stay in the history. If it
is interrupted, run it again: it continues with the products that still refer to other servers.

Example:
  catalog media fetch --project 1`,
    )
    .action(async (options: ProjectOptions) => {
      const files = requireStore(options)
      print(options, await withProject(options, (database) => fetchWithProgress(database, files, options)))
    })
  return new Command('media')
    .description('Manage media files and their store')
    .addCommand(adopt)
    .addCommand(fetch)
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

function requireStore(options: CommonOptions): FileStore {
  const config = configFrom(options)
  const dataDirectory = config.databaseUrl === undefined ? locateDataDirectory(config) : undefined
  const store = openMediaFiles(config, dataDirectory)
  if (store === undefined)
    throw new Error('no store is configured; set CATALOG_MEDIA to a folder or to an S3 bucket')
  return store
}
