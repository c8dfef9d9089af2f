import { Command } from 'commander'
import { adoptMediaStore } from '../../catalog/assets/adopt-store.ts'
import { openMediaFiles } from '../../catalog/assets/media-files.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'

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
  return new Command('media').description('Manage the store of media files').addCommand(adopt)
}

function requireStore(options: CommonOptions): FileStore {
  const config = configFrom(options)
  const dataDirectory = config.databaseUrl === undefined ? locateDataDirectory(config) : undefined
  const store = openMediaFiles(config, dataDirectory)
  if (store === undefined)
    throw new Error('no store is configured; set CATALOG_MEDIA to a folder or to an S3 bucket')
  return store
}
