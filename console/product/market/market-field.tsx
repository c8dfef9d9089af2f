import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { fieldOf } from '../../../src/model/fields/product-fields.ts'
import { saleAttributes } from '../../../src/model/fields/sale-attributes.ts'
import { marketLabel } from '../../markets/labels.ts'
import { Tag } from '../../parts/badges.tsx'
import { priceText } from '../../parts/format/price-text.ts'
import { fieldText } from '../../parts/numbers/read-number.ts'
import { usePermissions } from '../../parts/permissions.ts'
import { ProductStatusTag } from '../../parts/product-status.tsx'
import type { AttributeDefinition, ProductStatus } from '../../wire.ts'
import { fieldId, focusSoon } from '../focus-field.ts'
import styles from '../product.module.css'
import { ValueText, valueText } from '../value-text.tsx'
import own from './market.module.css'
import { MarketControl } from './market-control.tsx'
import { draftOf } from './market-draft.ts'
import { isOtherLanguage, isText, type Shown, shownValue, sourceOf, storedValue } from './market-values.ts'
import { strings } from './strings.ts'
import type { MarketForm } from './use-market-form.ts'

type Props = {
  form: MarketForm
  field: string
  definition?: AttributeDefinition | undefined
  /** Whether the source is next to the control, as in the worklist. */
  isSideBySide?: boolean
}

/** One field in a language or market: its value, where the value comes from, and what the user can do with it. */
export function MarketField({ form, field, definition, isSideBySide = false }: Props) {
  const { shown, edits } = form
  const { canWrite } = usePermissions()
  const stored = storedValue(shown, field)
  const draft = edits.get(field)
  const isArchived = field === 'status' && shown.base.status === 'archived'
  const isEditing = canWrite && !isArchived && draft !== null && (draft !== undefined || stored !== undefined)
  const source = sourceOf(shown, field)
  const value = draft === null ? source?.value : shownValue(shown, field)
  const showsSource = isEditing && source !== undefined && isText(field, source.value)
  return (
    <div className={own.field} data-side-by-side={(isSideBySide && showsSource) || undefined}>
      <div className={own.value}>
        {isEditing ? (
          <MarketControl
            form={form}
            field={field}
            definition={definition}
            draft={draft ?? draftOf(field, stored, definition)}
          />
        ) : (
          <>
            <div className={styles.label}>{labelOf(field, definition)}</div>
            <Value shown={shown} field={field} value={value} unit={definition?.unit} />
          </>
        )}
        <Foot {...{ form, field, definition, isEditing, isArchived, isSideBySide }} />
      </div>
      {showsSource && (
        <SourceText
          place={placeOf(source.from, shown)}
          text={valueText(source.value)}
          isOpen={isSideBySide || stored === undefined || isOutdated(shown, field)}
        />
      )}
    </div>
  )
}

function labelOf(field: string, definition: AttributeDefinition | undefined): string {
  return definition?.label ?? fieldLabel(field)
}

function isOutdated({ product }: Shown, field: string): boolean {
  return product.view?.stale.includes(field) === true
}

const placeOf = (from: string | null, { markets }: Shown) =>
  from === null ? strings.places.base : marketLabel(from, markets)

type ValueProps = { shown: Shown; field: string; value: unknown; unit?: string | null | undefined }

function Value({ shown, field, value, unit }: ValueProps) {
  if (field === 'status') return <ProductStatusTag status={value as ProductStatus} />
  return (
    <div className={own.text}>
      <ValueText value={textOf(shown, field, value, unit)} />
    </div>
  )
}

/** Numbers in the reader's locale, prices in the currency of the language or market. */
function textOf({ market }: Shown, field: string, value: unknown, unit?: string | null): string {
  if (value === undefined || value === null) return ''
  const isAmount = fieldOf(field)?.kind === 'price' || field === `attributes.${saleAttributes.price}`
  if (isAmount && typeof value === 'number') return priceText(value, market.currency)
  const text = typeof value === 'number' ? fieldText(value) : valueText(value)
  return unit ? `${text} ${unit}` : text
}

/** A long source is folded, unless the user needs it now. */
function SourceText({ place, text, isOpen }: { place: string; text: string; isOpen: boolean }) {
  return (
    <details className={own.source} open={isOpen}>
      <summary>{strings.source(place)}</summary>
      <div dir="auto">{text}</div>
    </details>
  )
}

type FootProps = Pick<Props, 'form' | 'field' | 'definition'> & {
  isEditing: boolean
  isArchived: boolean
  isSideBySide: boolean
}

function Foot({ form, field, definition, isEditing, isArchived, isSideBySide }: FootProps) {
  const { shown, theirs } = form
  const { missing = [] } = shown.product.view ?? {}
  const conflict = theirs.get(field)
  // The worklist opens the control, and the user leaves it empty to set nothing.
  const isOpened = isSideBySide && isEditing && storedValue(shown, field) === undefined
  return (
    <div className={own.foot}>
      {missing.includes(field) && <Tag tone="red">{strings.missing}</Tag>}
      {isOutdated(shown, field) && <Tag tone="yellow">{strings.outdated}</Tag>}
      {!isOpened && (
        <span className={own.origin}>
          {isArchived ? strings.origin.archived : <Origin form={form} field={field} isEditing={isEditing} />}
        </span>
      )}
      {!isArchived && !isOpened && <Buttons {...{ form, field, definition, isEditing }} />}
      {theirs.has(field) && (
        <p role="alert" className={styles.fieldError}>
          {conflict === null ? strings.conflictRemoved : strings.conflict(valueText(conflict))}
        </p>
      )}
    </div>
  )
}

/** Where the value comes from. */
export function Origin({ form, field, isEditing }: Pick<FootProps, 'form' | 'field' | 'isEditing'>) {
  const { shown, edits } = form
  const source = sourceOf(shown, field)
  const place = source && placeOf(source.from, shown)
  if (edits.get(field) === null)
    return place === undefined ? strings.origin.fallsBackToNothing : strings.origin.fallsBack(place)
  if (isEditing || storedValue(shown, field) !== undefined) {
    const isShort =
      source !== undefined && place !== undefined && !isText(field, source.value) && field !== 'media'
    return isShort ? strings.origin.ownOr(textOf(shown, field, source.value), place) : strings.origin.own
  }
  if (place !== undefined && shownValue(shown, field) !== undefined) return strings.origin.from(place)
  const isPriceElsewhere = field === 'price' && shown.base.price !== null
  return isPriceElsewhere ? strings.origin.noPrice(shown.market.currency) : strings.origin.none
}

function Buttons({ form, field, definition, isEditing }: Omit<FootProps, 'isArchived' | 'isSideBySide'>) {
  const { shown, edits, edit, confirm, isPending } = form
  const { canWrite } = usePermissions()
  const label = labelOf(field, definition)
  const stored = storedValue(shown, field)
  const draft = edits.get(field)
  const from = shown.product.view?.from[field]
  const isStale = isOutdated(shown, field)
  if (!canWrite) return null
  const button = (text: string, run: () => void) => (
    <Button size="compact-xs" variant="default" disabled={isPending} onClick={run}>
      {text}
      <span className="unseen">{strings.of(label)}</span>
    </Button>
  )
  if (draft === null) return button(strings.undo, () => edit(field, undefined))
  if (stored === undefined && isEditing) return button(strings.cancel, () => edit(field, undefined))
  if (stored !== undefined)
    return (
      <>
        {isStale && draft === undefined && button(strings.confirm, () => confirm(field, label))}
        {button(strings.remove, () => edit(field, null))}
      </>
    )
  const source = sourceOf(shown, field)
  const value = shownValue(shown, field)
  const isWritten = definition === undefined || definition.type === 'text'
  const isTranslated = isWritten && isText(field, value) && isOtherLanguage(shown, source?.from ?? null)
  const open = () => {
    edit(
      field,
      draftOf(field, isTranslated ? (typeof value === 'string' ? '' : undefined) : value, definition),
    )
    focusSoon(fieldId(field))
  }
  return (
    <>
      {button(isTranslated && value !== undefined ? strings.translate : strings.edit, open)}
      {isStale && from !== undefined && (
        <Anchor
          component={Link}
          to="/projects/$projectId/products/$productId"
          params={{ projectId: shown.base.project, productId: shown.base.id } as never}
          search={{ market: from } as never}
          size="xs"
        >
          {strings.openSource(marketLabel(from, shown.markets))}
        </Anchor>
      )}
    </>
  )
}
