import type { Command } from 'commander'
import { migrate } from '../../../platform/database/migrate.ts'
import { type CommonOptions, command, print, withServer } from '../../command.ts'

export function migrateCommand(): Command {
  return command('migrate', 'Migrate the database to the schema of this version (serve does this at startup)')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://localhost/catalog catalog migrate')
    .action(async (options: CommonOptions) => {
      const report = (line: string) => console.error(line)
      print(options, { applied: await withServer(options, (database) => migrate(database, { report })) })
    })
}
