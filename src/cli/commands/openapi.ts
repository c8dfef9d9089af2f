import type { Command } from 'commander'
import { openApiDocument } from '../../openapi-document.ts'
import { command } from '../command.ts'

export function openapiCommand(): Command {
  return command('openapi', 'Print the OpenAPI 3.1 document (needs no database)')
    .addHelpText('after', '\nExample:\n  catalog openapi > openapi.json')
    .action(async () => console.log(JSON.stringify(await openApiDocument(), null, 2)))
}
