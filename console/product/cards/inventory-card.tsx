import { Button, Checkbox, TextInput } from '@mantine/core'
import { memo, useState } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { Tag } from '../../parts/badges.tsx'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { Card } from '../../parts/page.tsx'
import type { Inventory, ProductDetail } from '../../wire.ts'
import type { StockDraft } from '../draft/draft.ts'
import { errorAt, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId } from '../focus-field.ts'
import { countText } from '../numbers.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import { strings } from '../strings.ts'
import { AdjustDialog } from './adjust-dialog.tsx'
import levels from './inventory-card.module.css'

type Props = {
  /** Undefined for a new product. */
  product?: ProductDetail
  stock: StockDraft
  fieldErrors: FieldErrors
  change: Change
}

/** Stock levels and stock settings. */
export const InventoryCard = memo(function InventoryCard({ product, stock, fieldErrors, change }: Props) {
  const [isAdjusting, setAdjusting] = useState(false)
  const inventory = product?.inventory
  const isComputed = inventory?.computed === true
  const adjust = product !== undefined && !isComputed && (
    <Button size="xs" variant="default" onClick={() => setAdjusting(true)}>
      {strings.inventory.adjust}
    </Button>
  )
  return (
    <Card title={strings.inventory.title} actions={adjust || undefined}>
      <div className={styles.fields}>
        {product !== undefined && inventory !== undefined && (
          <Levels product={product} inventory={inventory} />
        )}
        {!isComputed && (
          <StockFields
            stock={stock}
            fieldErrors={fieldErrors}
            change={change}
            isNew={product === undefined}
          />
        )}
      </div>
      {isAdjusting && product !== undefined && (
        <AdjustDialog product={product} close={() => setAdjusting(false)} />
      )}
    </Card>
  )
})

export function Levels({ product, inventory }: { product: ProductDetail; inventory: Inventory }) {
  const { tracked, quantity, reserved, available, computed, limited_by, updated_at } = inventory
  return (
    <>
      <dl className={levels.levels}>
        {Object.entries({ Quantity: quantity, Reserved: reserved, Available: available }).map(
          ([label, level]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="tabular">{tracked ? countText(level) : '–'}</dd>
            </div>
          ),
        )}
      </dl>
      <div className={styles.note}>
        <StockTag inventory={inventory} />{' '}
        {computed === true ? (
          product.product_type === 'configurable' ? (
            strings.inventory.fromVariants
          ) : (
            strings.inventory.fromComponents
          )
        ) : (
          <>
            {strings.inventory.updated} <RelativeTime at={updated_at} isInSentence />
          </>
        )}
        {limited_by != null && (
          <>
            {strings.inventory.limitedBy}{' '}
            <ProductLink project={product.project} id={limited_by.id}>
              {limited_by.sku}
            </ProductLink>
          </>
        )}
      </div>
    </>
  )
}

function StockTag({ inventory: { tracked, in_stock, available } }: { inventory: Inventory }) {
  if (!in_stock) return <Tag tone="red">{strings.inventory.outOfStock}</Tag>
  // Without stock, a product can still be sold if backorders are allowed.
  const isBackorder = tracked && available <= 0
  return <Tag tone="accent">{isBackorder ? strings.inventory.onBackorder : strings.inventory.inStock}</Tag>
}

type FieldsProps = Omit<Props, 'product'> & { isNew: boolean }

function StockFields({ stock, fieldErrors, change, isNew }: FieldsProps) {
  const set = (name: keyof StockDraft, value: string | boolean) =>
    change(`inventory.${name}`, ({ inventory }) => ({ inventory: { ...inventory, [name]: value } }))
  const text = (name: 'quantity' | 'reserved' | 'low_stock_threshold') => ({
    id: fieldId(`inventory.${name}`),
    label: fieldLabel(`inventory.${name}`),
    inputMode: 'numeric' as const,
    value: stock[name],
    error: errorAt(fieldErrors, `inventory.${name}`),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  })
  const box = (name: 'tracked' | 'backorders', label: string) => ({
    id: fieldId(`inventory.${name}`),
    label,
    checked: stock[name],
    error: errorAt(fieldErrors, `inventory.${name}`),
    onChange: (event: { currentTarget: { checked: boolean } }) => set(name, event.currentTarget.checked),
  })
  return (
    <>
      <Checkbox {...box('tracked', strings.inventory.tracked)} />
      <Checkbox {...box('backorders', strings.inventory.backorders)} />
      {isNew && <TextInput {...text('quantity')} placeholder={strings.inventory.zero} />}
      <TextInput {...text('reserved')} placeholder={strings.inventory.zero} />
      <TextInput {...text('low_stock_threshold')} placeholder={strings.inventory.noThreshold} />
    </>
  )
}
