import { Command, Option } from 'commander'
import { changeMember, removeMember } from '../../../access/members/manage-member.ts'
import { listMembers } from '../../../access/members/member.sql.ts'
import { type MemberRole, memberRoles } from '../../../access/roles.ts'
import { requireUserId } from '../../../access/users/user.sql.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'

type MemberOptions = CommonOptions & { project: number }

const userArgument = ['<user>', 'User ID or email'] as const
const projectOption = ['--project <id>', 'Project ID', parseId] as const

export function memberCommand(): Command {
  const list = command('list', 'List the members of a project')
    .requiredOption(...projectOption)
    .action(async (options: MemberOptions) => {
      const page = { number: 1, size: 10_000 }
      const { results } = await withDatabase(options, (database) =>
        listMembers(database, options.project, {}, page),
      )
      print(options, results)
    })

  const set = command('set', 'Change the role of a member')
    .argument(...userArgument)
    .requiredOption(...projectOption)
    .addOption(new Option('--role <role>', 'Role in the project').choices(memberRoles).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  catalog member set member@shop.example --project 1 --role editor')
    .action(async (user: string, options: MemberOptions & { role: MemberRole }) => {
      const changed = await withDatabase(options, async (database) => {
        const id = await requireUserId(database, user)
        return withPlainErrors(changeMember(database, commandLineActor(), options.project, id, options.role))
      })
      print(options, changed)
    })

  const remove = command('remove', 'Remove a member from a project')
    .argument(...userArgument)
    .requiredOption(...projectOption)
    .addHelpText('after', '\nExample:\n  catalog member remove member@shop.example --project 1')
    .action(async (user: string, options: MemberOptions) => {
      await withDatabase(options, async (database) => {
        const id = await requireUserId(database, user)
        await withPlainErrors(removeMember(database, commandLineActor(), options.project, id))
      })
      print(options, { removed: user })
    })

  const member = new Command('member').description(
    'Manage the members of a project ("catalog user create --invite" adds new ones)',
  )
  for (const one of [list, set, remove]) member.addCommand(one)
  return member
}
