import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { memo } from 'react'
import { Card } from '../parts/page.tsx'
import { productStatuses } from '../parts/product-status.tsx'
import type { Provenance } from '../wire.ts'
import type { Draft } from './draft.ts'
import { type Faults, faultAt } from './faults.ts'
import { fieldId, fieldLabel } from './field-names.ts'
import styles from './product.module.css'
import { productTypes } from './product-types.ts'
import { writtenBy } from './provenance.tsx'
import type { Change } from './use-draft.ts'

type TextField = 'sku' | 'name' | 'price' | 'status' | 'product_type' | 'short_description' | 'description'
type Props = Pick<Draft, TextField> & {
  faults: Faults
  provenance: Provenance
  currency: string
  change: Change
}

const statusData = productStatuses.map(({ status, label, hint }) => ({
  value: status,
  label: `${label}: ${hint}`,
}))

/** What every product has. */
export const MainCard = memo(function MainCard({ faults, provenance, currency, change, ...values }: Props) {
  const control = (field: TextField) => ({
    id: fieldId(field),
    label: fieldLabel(field),
    value: values[field],
    error: faultAt(faults, field),
    description: writtenBy(provenance, field),
    onChange: (event: { currentTarget: { value: string } }) =>
      change(field, { [field]: event.currentTarget.value }),
  })
  return (
    <Card title="Main">
      <div className={styles.fields}>
        <TextInput {...control('name')} required />
        <div className={styles.pair}>
          <TextInput
            {...control('sku')}
            required
            classNames={{ input: styles.code ?? '' }}
            spellCheck={false}
          />
          <TextInput
            {...control('price')}
            inputMode="decimal"
            rightSection={<span className={styles.unit}>{currency}</span>}
            rightSectionWidth={58}
            rightSectionPointerEvents="none"
          />
        </div>
        <div className={styles.pair}>
          <NativeSelect {...control('status')} data={statusData} />
          <NativeSelect {...control('product_type')} data={productTypes} />
        </div>
        <Textarea {...control('short_description')} autosize minRows={2} maxRows={8} />
        <Textarea {...control('description')} autosize minRows={5} maxRows={24} />
      </div>
    </Card>
  )
})
