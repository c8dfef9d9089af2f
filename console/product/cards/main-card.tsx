import { memo } from 'react'
import { fieldsOfKind, isRequired, textsOfSize } from '../../../src/model/fields/product-fields.ts'
import { Card } from '../../parts/page.tsx'
import type { Provenance } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import type { FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import styles from '../product.module.css'
import { strings } from '../strings.ts'
import { MainField, type MainName } from './main-field.tsx'

type Props = Pick<Draft, MainName> & {
  fieldErrors: FieldErrors
  provenance: Provenance
  currency: string
  change: Change
}

const lines = textsOfSize('line')

/** Groups of fields that share a row of the form. */
export const mainRows: MainName[][] = [
  ...lines.filter(isRequired).map((name) => [name]),
  [...fieldsOfKind('code'), ...fieldsOfKind('price')],
  fieldsOfKind('choice'),
  ...lines.filter((name) => !isRequired(name)).map((name) => [name]),
  ...textsOfSize('paragraph', 'document').map((name) => [name]),
]

/** The fields that every product has. */
export const MainCard = memo(function MainCard({
  fieldErrors,
  provenance,
  currency,
  change,
  ...values
}: Props) {
  const control = (field: MainName) => (
    <MainField
      key={field}
      field={field}
      value={values[field]}
      {...{ fieldErrors, provenance, currency, change }}
    />
  )
  return (
    <Card title={strings.main.title}>
      <div className={styles.fields}>
        {mainRows.map((names) =>
          names.length === 1 ? (
            names.map(control)
          ) : (
            <div key={names.join()} className={styles.pair}>
              {names.map(control)}
            </div>
          ),
        )}
      </div>
    </Card>
  )
})
