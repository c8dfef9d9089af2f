import { memo } from 'react'
import { Card } from '../../parts/page.tsx'
import type { Provenance } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import type { Faults } from '../draft/faults.ts'
import type { Change } from '../draft/use-draft.ts'
import styles from '../product.module.css'
import { MainField, type MainName } from './main-field.tsx'

type Props = Pick<Draft, MainName> & {
  faults: Faults
  provenance: Provenance
  currency: string
  change: Change
}

/** What every product has. */
export const MainCard = memo(function MainCard({ faults, provenance, currency, change, ...values }: Props) {
  const control = (field: MainName) => (
    <MainField field={field} value={values[field]} {...{ faults, provenance, currency, change }} />
  )
  return (
    <Card title="Main">
      <div className={styles.fields}>
        {control('name')}
        <div className={styles.pair}>
          {control('sku')}
          {control('price')}
        </div>
        <div className={styles.pair}>
          {control('status')}
          {control('product_type')}
        </div>
        {control('short_description')}
        {control('description')}
      </div>
    </Card>
  )
})
