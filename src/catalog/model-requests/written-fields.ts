import type {
  AttributeDefinition,
  AttributeType,
} from '../../model/attributes/attribute-definition.schema.ts'
import { fieldLabel, splitField } from '../../model/fields/field-paths.ts'
import { fieldOf } from '../../model/fields/product-fields.ts'
import { viewKey } from '../../model/fields/view-paths.ts'
import { productLimits } from '../../model/limits/products.ts'
import { closed } from '../../platform/http/closed.ts'

/** The text fields that a run can write, in addition to attributes. */
export const writableTexts = ['name', 'description', 'short_description'] as const

/** A field that a model writes, the same without its view, and its name in the response. */
export type WrittenField = {
  field: string
  plain: string
  key: string
  definition: AttributeDefinition | undefined
}

export function isWritable(field: string): boolean {
  const [group, name = ''] = splitField(field)
  if (group !== 'attributes') return (writableTexts as readonly string[]).includes(field)
  return name !== '' && name.length <= productLimits.attributeNameCharacters
}

/** Providers accept only letters, digits, _ and - in the names of properties. */
export function writtenFields(
  fields: readonly string[],
  definitions: readonly AttributeDefinition[],
  view: string | null = null,
): WrittenField[] {
  const taken = new Set<string>()
  return fields.map((plain) => {
    const [group, name = group] = splitField(plain)
    const word = name.replaceAll(/[^\w-]+/g, '_').slice(0, 40)
    let key = word
    for (let number = 2; taken.has(key); number += 1) key = `${word}_${number}`
    taken.add(key)
    const definition = group === plain ? undefined : definitions.find((one) => one.name === name)
    return { field: view === null ? plain : `${viewKey(view)}.${plain}`, plain, key, definition }
  })
}

type Property = { type: string | string[]; description: string; enum?: unknown[]; items?: object }

/** Every property is required and can be null, because strict providers support neither optional properties nor limits. */
export function responseSchema(fields: readonly WrittenField[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((one) => [one.key, propertyOf(one)])),
    required: fields.map(({ key }) => key),
    ...closed,
  }
}

const jsonTypes: Record<AttributeType, 'string' | 'number' | 'boolean'> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  choice: 'string',
  url: 'string',
}

export function jsonTypeOf({ definition }: WrittenField): 'string' | 'number' | 'boolean' {
  return definition === undefined ? 'string' : jsonTypes[definition.type]
}

function propertyOf(one: WrittenField): Property {
  const { definition } = one
  const type = jsonTypeOf(one)
  const description = describe(one)
  const choices = definition?.allowed ?? undefined
  if (definition?.multiple === true)
    return {
      type: ['array', 'null'],
      items: { type, ...(choices && { enum: choices }) },
      description,
    }
  return { type: [type, 'null'], description, ...(choices && { enum: [...choices, null] }) }
}

/** Limits are part of the description. The service checks them when it proposes the line. */
function describe({ plain, definition }: WrittenField): string {
  const longest = definition === undefined ? fieldOf(plain)?.longest : definition.max_length
  const parts = [
    definition?.label ?? fieldLabel(plain),
    definition?.description ?? '',
    definition?.type === 'date' ? 'A date such as 2026-01-31' : '',
    definition?.type === 'url' ? 'A URL that starts with https://' : '',
    definition?.unit == null ? '' : `In ${definition.unit}, as a number without the unit`,
    definition?.min == null ? '' : `At least ${definition.min}`,
    definition?.max == null ? '' : `At most ${definition.max}`,
    definition?.pattern == null ? '' : `Matches the pattern ${definition.pattern}`,
    longest == null ? '' : `At most ${longest} characters`,
  ]
  return parts.filter((part) => part !== '').join('. ')
}
