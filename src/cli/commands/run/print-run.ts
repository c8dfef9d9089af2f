import type { Run } from '../../../catalog/runs/run.schema.ts'
import type { RunPreview } from '../../../catalog/runs/run-create.schema.ts'
import { escapeControlCharacters } from '../../../platform/terminal/escape-control-characters.ts'
import { type CommonOptions, print } from '../../command.ts'

export function printRun(options: CommonOptions, run: Run): void {
  const { tokens, cost, ...rest } = run
  const figures = { input_tokens: tokens.input, output_tokens: tokens.output, ...cost }
  print(options, options.json === true ? run : { ...rest, ...figures })
}

export function printPreview(options: CommonOptions, preview: RunPreview): void {
  const { products, prompts, missing_variables, cost } = preview
  const missing = missing_variables.map(({ name, products: count }) => `${name} (${count} products)`)
  print(options, options.json === true ? preview : { products, missing_variables: missing, ...cost })
  if (options.json === true) return
  for (const { product_id, text } of prompts) {
    const lines = text.split('\n').map(escapeControlCharacters)
    process.stdout.write(`\nProduct ${product_id}:\n${lines.join('\n')}\n`)
  }
}
