import { type Command, InvalidArgumentError } from 'commander'
import type { ProviderModel } from '../../../catalog/ai-providers/ai-provider.schema.ts'
import type { Database } from '../../../platform/database/database.ts'
import { secretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { type CommonOptions, configFrom } from '../../command.ts'

export type ToolOptions = CommonOptions & { aiAllow?: string[] }

/** The service is another process, so commands need its setting too. */
export function withAllow(one: Command): Command {
  return one.option(
    '--ai-allow <origin>',
    'Origin in your network that AI providers may use, as for catalog serve (repeatable)',
    (value: string, before: string[] = []) => [...before, value],
  )
}

export function toolsOf(database: Database, options: ToolOptions) {
  const { aiAllow, webhookKeys } = configFrom(options, { aiAllow: options.aiAllow })
  return { cipher: secretCipher(database, webhookKeys), allow: aiAllow }
}

export function parseModel(text: string): ProviderModel {
  const [name = '', ...numbers] = splitList(text)
  const [input_price = Number.NaN, output_price = Number.NaN, max_output_tokens = Number.NaN] =
    numbers.map(Number)
  if (numbers.length !== 3 || [input_price, output_price, max_output_tokens].some(Number.isNaN))
    throw new InvalidArgumentError('A model is a name and three numbers, such as llama3.3,0,0,4096.')
  return { name, input_price, output_price, max_output_tokens }
}

export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

// Commander would turn null into an empty text.
export function parseCap(text: string): number | 'none' {
  if (text === 'none') return text
  if (!/^\d+(\.\d{1,6})?$/.test(text))
    throw new InvalidArgumentError('A cap is an amount with at most 6 decimals, such as 50, or none.')
  return Number(text)
}
