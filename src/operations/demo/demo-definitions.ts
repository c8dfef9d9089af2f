import { replaceDefinitions } from '../../catalog/attributes/manage-definitions.ts'
import { endJob } from '../../catalog/quality/scoring-job.sql.ts'
import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { makeRuleset, type Ruleset } from '../../model/quality/ruleset.ts'
import type { Transaction } from '../../platform/database/database.ts'

const plain = {
  label: null,
  group: null,
  unit: null,
  multiple: false,
  allowed: null,
  min: null,
  max: null,
  max_length: null,
  pattern: null,
  required_for: null,
  mode: 'warn',
  description: '',
} as const

/** Some products have no brand, which only lowers their score; whether a lamp can be dimmed is enforced. */
const definitions = [
  {
    ...plain,
    name: 'brand',
    type: 'text',
    label: 'Brand',
    max_length: 80,
    required_for: { product_types: ['simple'], categories: [] },
    description: 'Who makes it, as it is printed on the box.',
  },
  { ...plain, name: 'weight_g', type: 'number', label: 'Weight', unit: 'g', min: 1 },
  { ...plain, name: 'dimmable', type: 'boolean', label: 'Dimmable', group: 'Lighting', mode: 'enforce' },
].map((definition, position) => ({ ...definition, position })) as AttributeDefinition[]

/** Before there are products: nothing has to be scored again. */
export async function addDefinitions(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
): Promise<Ruleset> {
  const { ruleset: version } = await replaceDefinitions(tx, projectId, author, definitions, false)
  await endJob(tx, projectId, version)
  return makeRuleset(version, { rules: null, definitions })
}
