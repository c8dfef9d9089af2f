import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { splitField } from '../../src/model/fields/field-paths.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import { Card } from '../parts/page.tsx'
import { AttributeControl } from '../product/cards/attribute-row.tsx'
import { AttributesCard } from '../product/cards/attributes-card.tsx'
import { CategoriesCard } from '../product/cards/categories-card.tsx'
import { isMainName, MainField } from '../product/cards/main-field.tsx'
import { type AttributeDraft, attributeKind, emptyAttribute } from '../product/draft/attribute-draft.ts'
import type { Draft } from '../product/draft/draft.ts'
import { errorAt } from '../product/draft/field-errors.ts'
import type { ProductForm } from '../product/draft/use-product-form.ts'
import { fieldId, focusSoon } from '../product/focus-field.ts'
import { MediaCard } from '../product/media/media-card.tsx'
import { definitionsQuery } from '../product/queries.ts'
import type { QualityRules } from '../wire.ts'
import { strings } from './strings.ts'

export type QualityRule = QualityRules['rules'][number]
type Props = { project: number; rule: QualityRule; form: ProductForm }

const ownField: Partial<Record<QualityRule['kind'], string>> = {
  price_present: 'price',
  category_count: 'categories',
  image_present: 'media',
  image_alt: 'media',
}

/** The field that a rule is about, such as `description` or `attributes.color`. */
export function fieldOfRule({ kind, field, attribute }: QualityRule): string {
  if (attribute !== undefined) return `attributes.${attribute}`
  return field ?? ownField[kind] ?? 'attributes'
}

/** Only the fields of the rule, with the controls of the product page. */
export function RuleFields({ project, rule, form }: Props) {
  const { draft, fieldErrors, change, base } = form
  const common = { project, fieldErrors, change, provenance: base.provenance }
  const field = fieldOfRule(rule)
  const [empty] = useState(() => (rule.kind === 'attribute_values' ? emptyNames(draft) : undefined))
  if (isMainName(field))
    return (
      <Card title={strings.item.fields}>
        <MainField {...common} field={field} value={draft[field]} currency={base.currency} />
      </Card>
    )
  const [, attribute] = splitField(field)
  if (attribute !== undefined) return <OneAttribute name={attribute} form={form} project={project} />
  if (field === 'categories') return <CategoriesCard {...common} categories={draft.categories} />
  if (field === 'media')
    return (
      <MediaCard
        {...{ project, fieldErrors, change }}
        media={draft.media}
        uploads={form.uploads}
        initial={rule.kind === 'image_alt' ? undescribed(draft) : undefined}
      />
    )
  return <AttributesCard {...common} attributes={draft.attributes} shown={empty} />
}

/** The first image without alternative text. */
function undescribed({ media }: Draft): number | undefined {
  const index = media.findIndex(({ kind, alt }) => kind === 'image' && !alt)
  return index < 0 ? undefined : index
}

/** Attributes that are empty when the product is opened. A row stays while the user fills it. */
function emptyNames({ attributes }: Draft): string[] {
  const isEmpty = (value: AttributeDraft) =>
    'text' in value
      ? value.text.trim() === ''
      : value.kind === 'several' && value.texts.some((text) => text.trim() === '')
  return Object.entries(attributes)
    .filter(([, value]) => isEmpty(value))
    .map(([name]) => name)
}

/** An attribute that the rule requires, even if the product does not have it yet. */
function OneAttribute({ project, name, form }: { project: number; name: string; form: ProductForm }) {
  const definitions = useQuery(definitionsQuery(project)).data?.results
  const { draft, fieldErrors, change, base } = form
  const set = useCallback(
    (changed: string, value: AttributeDraft) =>
      change(`attributes.${changed}`, ({ attributes }) => ({
        attributes: { ...attributes, [changed]: value },
      })),
    [change],
  )
  const isKnown = definitions !== undefined
  useEffect(() => {
    if (isKnown) focusSoon(fieldId(`attributes.${name}`))
  }, [isKnown, name])
  const definition = definitions?.find((one) => one.name === name)
  const kind = definition === undefined ? 'text' : attributeKind(definition)
  const known = ownValue(draft.attributes, name)
  return (
    <Card title={strings.item.fields}>
      {isKnown && (
        <AttributeControl
          name={name}
          value={known ?? emptyAttribute(kind, definition?.type === 'number')}
          definition={definition}
          fieldError={errorAt(fieldErrors, `attributes.${name}`)}
          written={base.provenance}
          change={set}
        />
      )}
    </Card>
  )
}
