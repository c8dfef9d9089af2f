import type { Command } from 'commander'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { reachServer } from '../database/reach.ts'
import { type CommonOptions, command, configFrom, print } from './command.ts'

export function migrateCommand(): Command {
  return command(
    'migrate',
    'bring the database to the schema of this version; serve does the same at its start',
  )
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://localhost/catalog catalog migrate')
    .action(async (options: CommonOptions) => {
      const server = await reachServer(configFrom(options))
      const database = openDatabase({
        connection: server.connection,
        poolSize: 1,
        statementTimeoutSeconds: 0,
      })
      try {
        print(options, { applied: await migrate(database) })
      } finally {
        await database.close()
        await server.release()
      }
    })
}
