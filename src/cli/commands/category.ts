import { Command } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import type { CategoryNode } from '../../catalog/categories/category.schema.ts'
import { readTree } from '../../catalog/categories/category-tree.ts'
import { changeCategory } from '../../catalog/categories/manage-category.ts'
import { mergeCategory } from '../../catalog/products/merge/merge-category.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import { withPlainErrors } from '../../platform/http/body/check-input.ts'
import { visible } from '../../platform/terminal/escape-control-characters.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'

type ProjectOptions = CommonOptions & { project: number }
type TreeOptions = ProjectOptions & { parent?: number; depth?: number }

const author = { actor: 'catalog category', source: 'cli' } as const

export function categoryCommand(): Command {
  const tree = commandOf('tree', 'show the tree of categories, with the products of each')
    .option('--parent <id>', 'only what is below this category', parseId)
    .option('--depth <levels>', 'how many levels; all by default', parseId)
    .action(async ({ parent, depth, ...options }: TreeOptions) => {
      const found = await withDatabase(options, async (database) => {
        await requireProject(database, options.project)
        const part = { ...(parent !== undefined && { parent }), ...(depth !== undefined && { depth }) }
        return withPlainErrors(readTree(database, options.project, part))
      })
      if (options.json === true) print(options, found)
      else for (const line of linesOf(found.results)) console.log(line)
    })

  const move = commandOf('move', 'move a category with all below it')
    .argument('<id>', 'id of the category', parseId)
    .argument('[parent]', 'id of the category above; without it the root', parseId)
    .addHelpText('after', '\nExample:\n  catalog category move 12 3 --project 1')
    .action(async (id: number, parent: number | undefined, options: ProjectOptions) =>
      print(
        options,
        await withDatabase(options, (database) =>
          withPlainErrors(changeCategory(database, options.project, author, id, { parent: parent ?? null })),
        ),
      ),
    )

  const merge = commandOf('merge', 'give the products of a category another one instead, and delete it')
    .argument('<id>', 'id of the category that goes', parseId)
    .argument('<into>', 'id of the category that stays', parseId)
    .addHelpText('after', '\nExample:\n  catalog category merge 12 3 --project 1')
    .action(async (id: number, into: number, options: ProjectOptions) => {
      const merged = await withDatabase(options, async (database) => {
        const ruleset = await currentRuleset(database, options.project)
        const request = { projectId: options.project, author, ruleset, id, into }
        return withPlainErrors(mergeCategory(database, request))
      })
      print(options, merged)
    })

  return new Command('category')
    .description('the tree of categories')
    .addCommand(tree)
    .addCommand(move)
    .addCommand(merge)
}

function commandOf(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

function linesOf(nodes: CategoryNode[], indent = ''): string[] {
  return nodes.flatMap(({ id, name, products, children }) => [
    `${indent}${visible(name)}  (id ${id}, products ${products})`,
    ...linesOf(children, `${indent}  `),
  ])
}
