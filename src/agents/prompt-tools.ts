import type { Server } from '../platform/http/server.ts'
import { shortenedOutput } from './page-content.ts'
import { listContent, paged } from './read-tools.ts'
import { shortened } from './shorten-content.ts'
import { objectOf, outputOf, type Tool } from './tool.ts'
import { parametersOf } from './tool-query.ts'

const id = { type: 'integer', minimum: 0, description: 'The ID of a prompt' }

export function promptTools(app: Server): Tool[] {
  const read = { scope: 'prompts:read', isReadOnly: true } as const
  return [
    {
      ...read,
      name: 'list_prompts',
      title: 'List prompt templates',
      description:
        'Finds prompt templates by name. Returns one page with their latest versions and labels. Changes nothing.',
      input: objectOf(parametersOf(app, '/prompts')),
      output: paged,
      run: (args, session) => listContent(session, '/prompts', args),
    },
    {
      ...read,
      name: 'render_prompt',
      title: 'Fill in a prompt template',
      description:
        'Fills in the variables of a prompt template from a product and from given values. Returns the text. Sends it to no model and stores nothing.',
      input: objectOf(
        {
          id,
          label: { type: 'string', description: 'A label that selects the version' },
          version_number: {
            type: 'string',
            description: 'A version such as `1.2.0`. The latest version is the default',
          },
          product_id: {
            type: 'integer',
            minimum: 0,
            description: 'The product whose values fill in the variables',
          },
          variables: {
            type: 'object',
            description: 'Values of variables, which take precedence over the product',
          },
        },
        ['id'],
      ),
      output: outputOf(
        { version_number: { type: 'string' }, ...shortenedOutput },
        { rendered_text: { type: 'string' } },
      ),
      run: async ({ id: prompt, variables = {}, ...body }, { call }) => {
        const rendered = await call('POST', `/prompts/${prompt}/render`, { body: { ...body, variables } })
        const { version_number, ...written } = rendered
        return shortened({ version_number, untrusted: written })
      },
    },
    {
      ...read,
      name: 'prompt_outcomes',
      title: 'Compare the versions of a prompt',
      description:
        'Returns, for each version, how many products it wrote to, how the quality score changed, and what share of its values is still in use. Changes nothing.',
      input: objectOf({ id }, ['id']),
      output: outputOf({ count: { type: 'integer' }, ...shortenedOutput }, { results: { type: 'array' } }),
      run: async ({ id: prompt }, { call }) => {
        const { count, results } = await call('GET', `/prompts/${prompt}/outcomes`)
        return shortened({ count, untrusted: { results } })
      },
    },
  ]
}
