import type { Command } from 'commander'
import { makeDemo } from '../../operations/demo/make-demo.ts'
import { type CommonOptions, command, print, withDatabase } from '../command.ts'

export const databaseInUse =
  'the database has projects of its own, so no demo was made; use another --data folder for one'

export function demoCommand(): Command {
  return command('demo', 'fill an empty database with a demo catalog, or issue a fresh demo token')
    .addHelpText('after', '\nExample:\n  catalog demo --data /tmp/trial')
    .action(async (options: CommonOptions) => {
      const demo = await withDatabase(options, makeDemo)
      if (demo === undefined) throw new Error(databaseInUse)
      const { sign_ins, ...rest } = demo
      const accounts = Object.entries(sign_ins).map(([role, { email, password }]) => [
        role,
        `${email} ${password}`,
      ])
      print(options, options.json === true ? demo : { ...rest, ...Object.fromEntries(accounts) })
    })
}
