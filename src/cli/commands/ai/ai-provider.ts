import type { Command } from 'commander'
import type { ProviderModel } from '../../../catalog/ai-providers/ai-provider.schema.ts'
import { openModels } from '../../../catalog/ai-providers/call-model.ts'
import {
  type OfferInput,
  removeOffer,
  type ShownOffer,
  setOffer,
  showOffer,
  testOffer,
} from '../../../catalog/ai-providers/manage-offer.ts'
import { OfferSchema } from '../../../catalog/ai-providers/offer.schema.ts'
import { listOffers } from '../../../catalog/ai-providers/offer.sql.ts'
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { readTextOption } from '../../text-option.ts'
import { parseCap, parseModel, splitList, type ToolOptions, toolsOf, withAllow } from './ai-options.ts'

type SetOptions = ToolOptions & {
  kind: OfferInput['kind']
  baseUrl: string
  keyFile?: string
  currency: string
  model: ProviderModel[]
  plans: string[]
  projectCap: number | 'none'
  concurrency?: number
  requestsPerMinute?: number
}

export function setCommand(): Command {
  return withAllow(command('set', 'Offer an AI provider to the projects of some plans, or change it'))
    .argument('<name>', 'Name of the provider')
    .requiredOption('--kind <kind>', 'API: openai-compatible, anthropic or google')
    .requiredOption('--base-url <url>', 'Base URL of the API')
    .option('--key-file <file>', 'File with the key, or - for standard input (default: keep the stored key)')
    .requiredOption('--currency <code>', 'Currency of the prices, such as EUR')
    .requiredOption(
      '--model <model>',
      'Model as name,input price,output price,maximum output tokens; prices per 1,000,000 tokens (repeatable)',
      (text: string, before: ProviderModel[] = []) => [...before, parseModel(text)],
    )
    .requiredOption('--plans <list>', 'Comma-separated plans, such as pro,enterprise', splitList)
    .requiredOption('--project-cap <amount>', 'What each project can spend per month, or none', parseCap)
    .option('--concurrency <count>', 'Concurrent calls per project (default: 4)', Number)
    .option('--requests-per-minute <count>', 'Calls per minute and project (default: unlimited)', Number)
    .addHelpText('after', setHelp)
    .action(async (name: string, options: SetOptions) => {
      const { kind, baseUrl, keyFile, currency, model, plans, projectCap } = options
      const key = keyFile === undefined ? undefined : (await readTextOption({ file: keyFile })).trim()
      const input = checkInput<OfferInput & { name: string }>(OfferSchema, {
        ...{ name, kind, base_url: baseUrl, currency, models: model, plans },
        project_cap: projectCap === 'none' ? null : projectCap,
        ...(key !== undefined && { key }),
        ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
        ...(options.requestsPerMinute !== undefined && { requests_per_minute: options.requestsPerMinute }),
      })
      const shown = await withDatabase(options, (database) =>
        withPlainErrors(setOffer(database, toolsOf(database, options), commandLineActor(), name, input)),
      )
      print(options, options.json === true ? shown : toRow(shown))
    })
}

const setHelp = `
The projects of these plans can then use the provider in runs, but do not see its key or address. Use --ai-allow with the
same origins as catalog serve.

Examples:
  catalog ai provider set ollama --kind openai-compatible --base-url http://127.0.0.1:11434/v1 \\
    --ai-allow http://127.0.0.1:11434 --currency EUR --model llama3.3,0,0,4096 --plans pro,enterprise --project-cap none
  catalog ai provider set claude --kind anthropic --base-url https://api.anthropic.com/v1 --key-file key.txt \\
    --currency USD --model claude-sonnet-4-5,3,15,8192 --plans enterprise --project-cap 50`

export function listCommand(): Command {
  return command('list', 'List the AI providers that you offer')
    .addHelpText('after', '\nExample:\n  catalog ai provider list')
    .action(async (options: CommonOptions) => {
      const offers = (await withDatabase(options, listOffers)).map(showOffer)
      print(options, options.json === true ? offers : offers.map(toRow))
    })
}

export function removeCommand(): Command {
  return command('remove', 'Stop offering an AI provider; runs that use it pause')
    .argument('<name>', 'Name of the provider')
    .addHelpText('after', '\nExample:\n  catalog ai provider remove ollama')
    .action(async (name: string, options: CommonOptions) => {
      await withDatabase(options, (database) => removeOffer(database, commandLineActor(), name))
      print(options, { removed: name })
    })
}

export function testCommand(): Command {
  return withAllow(command('test', 'Call the models of an AI provider, and report what works'))
    .argument('<name>', 'Name of the provider')
    .addHelpText('after', '\nExample:\n  catalog ai provider test ollama --ai-allow http://127.0.0.1:11434')
    .action(async (name: string, options: ToolOptions) => {
      const findings = await withDatabase(options, async (database) => {
        const { cipher, allow } = toolsOf(database, options)
        const models = openModels({ allow })
        return withPlainErrors(testOffer(database, { cipher, models }, commandLineActor(), name)).finally(
          models.close,
        )
      })
      print(options, findings)
    })
}

function toRow({ name, kind, base_url, currency, models, plans, project_cap, state }: ShownOffer): object {
  return {
    name,
    kind,
    base_url,
    models: models.map((model) => model.name),
    plans,
    project_cap,
    currency,
    state,
  }
}
