import { Command, InvalidArgumentError } from 'commander'
import { changePlanStorage } from '../../access/projects/manage-plan.ts'
import { listPlans } from '../../access/projects/plan.sql.ts'
import { gibibyte, mebibyte } from '../../platform/units.ts'
import { type CommonOptions, command, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'

type SetOptions = CommonOptions & { storage: number | 'none' }

export function planCommand(): Command {
  const list = command('list', 'List all plans').action(async (options: CommonOptions) =>
    print(options, await withDatabase(options, listPlans)),
  )
  const set = command('set', 'Change how much the projects of a plan can store')
    .argument('<plan>', 'Plan: free, pro or enterprise')
    .requiredOption('--storage <size>', 'Media files per project, such as 500M, 20G or none', parseStorage)
    .addHelpText(
      'after',
      `
The size does not include thumbnails. If a project has more than that, it keeps its files but cannot upload others.

Example:
  catalog plan set pro --storage 50G`,
    )
    .action(async (code: string, { storage, ...options }: SetOptions) =>
      print(
        options,
        await withDatabase(options, (database) =>
          changePlanStorage(database, commandLineActor(), code, storage === 'none' ? null : storage),
        ),
      ),
    )
  return new Command('plan')
    .description('Show plans and change their storage')
    .addCommand(list)
    .addCommand(set)
}

const units: Record<string, number> = { M: mebibyte, G: gibibyte, T: 1024 * gibibyte }

// Commander would turn null into an empty text.
function parseStorage(text: string): number | 'none' {
  if (text === 'none') return text
  const [, number, unit] = /^(\d{1,6})([MGT])$/.exec(text) ?? []
  if (number === undefined || unit === undefined)
    throw new InvalidArgumentError('A size is a number with the unit M, G or T, such as 20G, or none.')
  return Number(number) * (units[unit] as number)
}
