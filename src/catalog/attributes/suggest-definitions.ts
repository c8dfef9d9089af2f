import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import { attributeLimits } from '../../model/limits/attributes.ts'
import type { Database } from '../../platform/database/database.ts'
import { countProducts, spreadIds } from '../quality/preview.sql.ts'
import type { AttributeSuggestion, AttributeSuggestions } from './attribute-suggestion.schema.ts'
import { findSeenAttributes, type SeenAttribute } from './attribute-suggestion.sql.ts'

/** Four million values take longer than the usual statement timeout. */
const limits = (project: number) => ({
  statementTimeoutSeconds: attributeLimits.suggestionStatementSeconds,
  bulk: true,
  project,
})
/** A text is suggested as a choice if its values occur this often on average. */
const usesPerChoice = 5

/** Attribute statistics from the products, with a definition that they match. */
export async function suggestDefinitions(
  database: Database,
  projectId: number,
  leftOut: readonly AttributeDefinition[],
): Promise<AttributeSuggestions> {
  const products = await countProducts(database, projectId)
  const ids =
    products <= attributeLimits.suggestionProducts
      ? undefined
      : await spreadIds(database, projectId, { wanted: attributeLimits.suggestionProducts, products })
  const names = leftOut.map(({ name }) => name)
  const { looked_at, attributes } = await database.transaction(
    (tx) => findSeenAttributes(tx, projectId, { ids, leftOut: names }),
    limits(projectId),
  )
  return { products, looked_at, results: attributes.map(suggestionOf) }
}

function suggestionOf(seen: SeenAttribute): AttributeSuggestion {
  const { name, products, text, number, boolean, several, values, distinct } = seen
  return {
    name,
    products,
    types: { text, number, boolean, several },
    values: values
      .slice(0, attributeLimits.suggestedValues)
      .map(({ value, products }) => ({ value, products })),
    distinct,
    definition: { ...emptyDefinition, name, multiple: several > 0, ...typeOf(seen) },
  }
}

const emptyDefinition: Omit<AttributeDefinition, 'name' | 'type'> = {
  label: null,
  group: null,
  position: 0,
  unit: null,
  multiple: false,
  allowed: null,
  pattern: null,
  min: null,
  max: null,
  max_length: null,
  required_for: null,
  mode: 'warn',
  description: '',
}

function typeOf(seen: SeenAttribute): Pick<AttributeDefinition, 'type'> & Partial<AttributeDefinition> {
  if (seen.all_numbers) return { type: 'number' }
  if (seen.all_booleans) return { type: 'boolean' }
  if (seen.all_dates) return { type: 'date' }
  if (seen.all_urls) return { type: 'url' }
  const allowed = choicesOf(seen)
  return allowed.length > 0 ? { type: 'choice', allowed } : { type: 'text' }
}

/** Few short texts that repeat. An empty text is an error in its product, not a choice. */
function choicesOf({ all_texts, distinct, uses, values }: SeenAttribute): string[] {
  if (!all_texts || distinct > attributeLimits.suggestedChoices || uses < distinct * usesPerChoice) return []
  if (values.some(({ is_cut }) => is_cut)) return []
  return values.map(({ value }) => String(value)).filter((text) => text.trim() !== '')
}
