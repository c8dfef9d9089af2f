import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { understood } from '../../parts/numbers/understood.ts'
import { productStatuses } from '../../parts/product-status.tsx'
import type { Provenance } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import { type Faults, faultAt } from '../draft/faults.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId } from '../field-names.ts'
import { priceText } from '../numbers.ts'
import styles from '../product.module.css'
import { productTypes } from '../product-types.ts'
import { writtenBy } from '../provenance.tsx'

const names = ['name', 'sku', 'price', 'status', 'product_type', 'short_description', 'description'] as const
export type MainName = (typeof names)[number]

export const isMainName = (field: string): field is MainName => names.includes(field as MainName)

type Props = {
  field: MainName
  value: Draft[MainName]
  faults: Faults
  provenance: Provenance
  currency: string
  change: Change
}

const statusData = productStatuses.map(({ status, label, hint }) => ({
  value: status,
  label: `${label}: ${hint}`,
}))

/** The control of a field that every product has. */
export function MainField({ field, value, faults, provenance, currency, change }: Props) {
  const control = {
    id: fieldId(field),
    label: fieldLabel(field),
    value,
    error: faultAt(faults, field),
    description: writtenBy(provenance, field),
    onChange: (event: { currentTarget: { value: string } }) =>
      change(field, { [field]: event.currentTarget.value }),
  }
  switch (field) {
    case 'name':
      return <TextInput {...control} required />
    case 'sku':
      return <TextInput {...control} required classNames={{ input: styles.code ?? '' }} spellCheck={false} />
    case 'price':
      return (
        <TextInput
          {...control}
          description={understood(value, (price) => priceText(price, currency)) ?? control.description}
          inputMode="decimal"
          rightSection={<span className={styles.unit}>{currency}</span>}
          rightSectionWidth={58}
          rightSectionPointerEvents="none"
        />
      )
    case 'status':
      return <NativeSelect {...control} data={statusData} />
    case 'product_type':
      return <NativeSelect {...control} data={productTypes} />
    case 'short_description':
      return <Textarea {...control} autosize minRows={2} maxRows={8} />
    case 'description':
      return <Textarea {...control} autosize minRows={5} maxRows={24} />
  }
}
