import { Command } from 'commander'
import type { CategoryNode } from '../../catalog/categories/category.schema.ts'
import { readTree } from '../../catalog/categories/category-tree.ts'
import { changeCategory } from '../../catalog/categories/manage-category.ts'
import { mergeCategory } from '../../catalog/products/merge/merge-category.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { parseId, print } from '../command.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../project-command.ts'

type TreeOptions = ProjectOptions & { parent?: number; depth?: number }

const author = { actor: 'catalog category', source: 'cli' } as const

export function categoryCommand(): Command {
  const tree = commandWithProject('tree', 'Show the category tree with the number of products per category')
    .option('--parent <id>', 'Only categories below this one', parseId)
    .option('--depth <levels>', 'Number of levels (default: all)', parseId)
    .action(async ({ parent, depth, ...options }: TreeOptions) => {
      const part = { ...(parent !== undefined && { parent }), ...(depth !== undefined && { depth }) }
      const found = await withProject(options, (database) => readTree(database, options.project, part))
      if (options.json === true) print(options, found)
      else for (const line of treeLines(found.results)) console.log(line)
    })

  const move = commandWithProject('move', 'Move a category and everything below it')
    .argument('<id>', 'Category ID', parseId)
    .argument('[parent]', 'ID of the new parent (default: the top level)', parseId)
    .addHelpText('after', '\nExample:\n  catalog category move 12 3 --project 1')
    .action(async (id: number, parent: number | undefined, options: ProjectOptions) =>
      print(
        options,
        await withProject(options, (database) =>
          changeCategory(database, options.project, author, id, { parent: parent ?? null }),
        ),
      ),
    )

  const merge = commandWithProject(
    'merge',
    'Move all products of a category to another one, then delete the category',
  )
    .argument('<id>', 'ID of the category to delete', parseId)
    .argument('<into>', 'ID of the category to keep', parseId)
    .addHelpText('after', '\nExample:\n  catalog category merge 12 3 --project 1')
    .action(async (id: number, into: number, options: ProjectOptions) => {
      const merged = await withProject(options, async (database) => {
        const ruleset = await currentRuleset(database, options.project)
        return mergeCategory(database, { projectId: options.project, author, ruleset, id, into })
      })
      print(options, merged)
    })

  return new Command('category')
    .description('Manage the category tree')
    .addCommand(tree)
    .addCommand(move)
    .addCommand(merge)
}

function treeLines(nodes: CategoryNode[], indent = ''): string[] {
  return nodes.flatMap(({ id, name, products, children }) => [
    `${indent}${escapeControlCharacters(name)}  (id ${id}, products ${products})`,
    ...treeLines(children, `${indent}  `),
  ])
}
