import { splitField } from '../../../src/model/fields/field-paths.ts'
import type { AttributeDefinition, MediaItem, Provenance } from '../../wire.ts'
import { AttributeControl } from '../cards/attribute-row.tsx'
import { MainField, type MainName } from '../cards/main-field.tsx'
import type { AttributeDraft } from '../draft/attribute-draft.ts'
import type { Draft } from '../draft/draft.ts'
import { MediaCard } from '../media/media-card.tsx'
import type { MarketDraft } from './market-draft.ts'
import type { MarketForm } from './use-market-form.ts'

type Props = {
  form: MarketForm
  field: string
  definition: AttributeDefinition | undefined
  draft: MarketDraft
}

/** The control of the product page for the field. */
export function MarketControl({ form, field, definition, draft }: Props) {
  const { shown, errors, edit, uploads } = form
  const { market, product } = shown
  const error = errors.get(field)
  const written = provenanceIn(product.provenance, market.code)
  const [, attribute] = splitField(field)
  if (attribute !== undefined)
    return (
      <AttributeControl
        name={attribute}
        value={draft as AttributeDraft}
        definition={definition}
        fieldError={error}
        written={written}
        change={(_name, value) => edit(field, value)}
      />
    )
  const pointer = error === undefined ? {} : { [`/${field}`]: error }
  if (field === 'media')
    return (
      <MediaCard
        project={product.project}
        media={draft as MediaItem[]}
        uploads={uploads}
        fieldErrors={pointer}
        change={(_field, update) => {
          const next = typeof update === 'function' ? update({ media: draft } as never) : update
          edit(field, next.media ?? [])
        }}
      />
    )
  const name = field as MainName
  return (
    <MainField
      field={name}
      value={draft as Draft[MainName]}
      fieldErrors={pointer}
      provenance={written}
      currency={market.currency}
      change={(_field, update) =>
        edit(field, (typeof update === 'function' ? undefined : update[name]) ?? '')
      }
      isOptional
    />
  )
}

/** The prompts that wrote values of the language or market, by field. */
function provenanceIn(provenance: Provenance, code: string): Provenance {
  const prefix = `views.${code}.`
  return Object.fromEntries(
    Object.entries(provenance).flatMap(([field, entry]) =>
      field.startsWith(prefix) ? [[field.slice(prefix.length), entry]] : [],
    ),
  )
}
