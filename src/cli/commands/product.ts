import { Command } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import { eraseProduct, requireErasable } from '../../operations/erase/erase-product.ts'
import type { Database } from '../../platform/database/database.ts'
import { normalizeText } from '../../platform/http/body/validate-body.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'

type EraseOptions = CommonOptions & { project: number; sku?: string; id?: number; yes?: boolean }

export function productCommand(): Command {
  const erase = command('erase', 'Permanently delete an archived product and its history')
    .requiredOption('--project <id>', 'Project ID', parseId)
    .option('--sku <sku>', 'Product SKU')
    .option('--id <id>', 'Product ID', parseId)
    .option('--yes', 'Skip the confirmation')
    .addHelpText(
      'after',
      `
Without --yes, you have to type the SKU to confirm. The command deletes the product with its category links, history, stock
adjustments and stored responses for idempotent requests. The audit trail retains the product's ID and SKU.
Archive the product first: the command rejects products that are not archived.

Example:
  catalog product erase --project 1 --sku MUG-300-SAND`,
    )
    .action(async (options: EraseOptions) =>
      print(options, await withDatabase(options, (database) => askAndErase(database, options))),
    )
  return new Command('product').description('Erase single products').addCommand(erase)
}

async function askAndErase(
  database: Database,
  { project, sku, id, yes = false }: EraseOptions,
): Promise<object> {
  if ((sku === undefined) === (id === undefined))
    throw new Error('specify the product with either --sku or --id')
  await requireProject(database, project)
  const product = await requireErasable(
    database,
    project,
    sku === undefined ? { id: id as number } : { sku: normalizeText(sku) },
  )
  if (!yes) {
    const named = `product ${product.id}, "${escapeControlCharacters(product.name)}"`
    const question = `This permanently deletes ${named} and its history. Type the SKU ${escapeControlCharacters(product.sku)} to confirm:`
    await confirm({ question, expected: product.sku, option: '--yes' })
  }
  return eraseProduct(database, commandLineActor(), project, product.id)
}
