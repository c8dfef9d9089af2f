import { Command } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import { eraseProduct, requireErasable } from '../../operations/erase/erase-product.ts'
import type { Database } from '../../platform/database/database.ts'
import { normalise } from '../../platform/http/body/validate-body.ts'
import { visible } from '../../platform/terminal/escape-control-characters.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'

type EraseOptions = CommonOptions & { project: number; sku?: string; id?: number; yes?: boolean }

export function productCommand(): Command {
  const erase = command('erase', 'delete an archived product with its history, for good')
    .requiredOption('--project <id>', 'id of the project', parseId)
    .option('--sku <sku>', 'SKU of the product')
    .option('--id <id>', 'id of the product', parseId)
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Without --yes the SKU has to be typed once more. The product goes with its category links, its history and its stock
adjustments, and with answers that are kept for repeated requests; the audit trail keeps its id and SKU. A product that is not
archived stays.

Example:
  catalog product erase --project 1 --sku MUG-300-SAND`,
    )
    .action(async (options: EraseOptions) =>
      print(options, await withDatabase(options, (database) => askAndErase(database, options))),
    )
  return new Command('product').description('what operators do with single products').addCommand(erase)
}

async function askAndErase(
  database: Database,
  { project, sku, id, yes = false }: EraseOptions,
): Promise<object> {
  if ((sku === undefined) === (id === undefined)) throw new Error('name the product by --sku or by --id')
  await requireProject(database, project)
  const product = await requireErasable(
    database,
    project,
    sku === undefined ? { id: id as number } : { sku: normalise(sku) },
  )
  if (!yes) {
    const named = `product ${product.id}, "${visible(product.name)}"`
    const question = `This deletes ${named}, and its history, for good. Type its SKU, ${visible(product.sku)}:`
    await confirm({ question, expected: product.sku, option: '--yes' })
  }
  return eraseProduct(database, commandLineActor(), project, product.id)
}
