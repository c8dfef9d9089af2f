import type { Command } from 'commander'
import { createDemo } from '../../operations/demo/create-demo.ts'
import { type CommonOptions, command, print, withDatabase } from '../command.ts'

export const databaseInUse =
  'the database already contains projects, so no demo data was added; use another --data folder'

export function demoCommand(): Command {
  return command('demo', 'Add a demo catalog to an empty database, or create a new demo token')
    .addHelpText('after', '\nExample:\n  catalog demo --data /tmp/trial')
    .action(async (options: CommonOptions) => {
      const demo = await withDatabase(options, createDemo)
      if (demo === undefined) throw new Error(databaseInUse)
      const { sign_ins, ...rest } = demo
      const accounts = Object.entries(sign_ins).map(([role, { email, password }]) => [
        role,
        `${email} ${password}`,
      ])
      print(options, options.json === true ? demo : { ...rest, ...Object.fromEntries(accounts) })
    })
}
