import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { Field } from '../../../src/model/fields/field.ts'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import {
  type FieldOf,
  fieldsOfKind,
  isRequired,
  productFields,
} from '../../../src/model/fields/product-fields.ts'
import { priceText } from '../../parts/format/price-text.ts'
import { numberHint } from '../../parts/numbers/number-hint.ts'
import { productStatuses } from '../../parts/product-status.tsx'
import type { Provenance } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import { errorAt, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId } from '../focus-field.ts'
import styles from '../product.module.css'
import { productTypes } from '../product-types.ts'
import { writtenBy } from '../provenance.tsx'
import { strings } from '../strings.ts'

export const mainNames = fieldsOfKind('code', 'text', 'price', 'choice')
export type MainName = (typeof mainNames)[number]

export const isMainName = (field: string): field is MainName => mainNames.includes(field as MainName)

type Props = {
  field: MainName
  value: Draft[MainName]
  fieldErrors: FieldErrors
  provenance: Provenance
  currency: string
  change: Change
  /** Whether an empty required field is allowed, because its value falls back. */
  isOptional?: boolean
}

const choices: Record<FieldOf<'choice'>, { value: string; label: string }[]> = {
  status: productStatuses.map(({ status, label, hint }) => ({
    value: status,
    label: strings.main.statusChoice(label, hint),
  })),
  product_type: productTypes,
}
/** Initial and maximum number of text rows. */
const rows = { paragraph: { minRows: 2, maxRows: 8 }, document: { minRows: 5, maxRows: 24 } }

/** The control of a field that every product has. */
export function MainField({
  field,
  value,
  fieldErrors,
  provenance,
  currency,
  change,
  isOptional = false,
}: Props) {
  const control = {
    id: fieldId(field),
    label: fieldLabel(field),
    value,
    error: errorAt(fieldErrors, field),
    description: writtenBy(provenance, field),
    onChange: (event: { currentTarget: { value: string } }) =>
      change(field, { [field]: event.currentTarget.value }),
  }
  const { kind, size = 'line' }: Field = productFields[field]
  if (kind === 'choice') return <NativeSelect {...control} data={choices[field as FieldOf<'choice'>]} />
  if (kind === 'price')
    return (
      <TextInput
        {...control}
        description={numberHint(value, (price) => priceText(price, currency)) ?? control.description}
        inputMode="decimal"
        rightSection={<span className={styles.unit}>{currency}</span>}
        rightSectionWidth={58}
        rightSectionPointerEvents="none"
      />
    )
  if (size !== 'line') return <Textarea {...control} autosize {...rows[size]} />
  const code = kind === 'code' && { classNames: { input: styles.code ?? '' }, spellCheck: false }
  return <TextInput {...control} required={isRequired(field) && !isOptional} {...code} />
}
