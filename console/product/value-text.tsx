import { isMediaList, MediaStrip, mediaOf } from '../parts/pictures/media-strip.tsx'
import styles from './product.module.css'
import { strings } from './strings.ts'

/** A value as text, for tables and comparisons. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? strings.value.true : strings.value.false
  if (Array.isArray(value)) return value.map(valueText).join(isPlain(value) ? ', ' : '\n')
  if (typeof value !== 'object') return String(value)
  return objectText(new Map(Object.entries(value)))
}

const isPlain = (values: unknown[]) =>
  values.every((value) => typeof value !== 'object' || value === null || !('url' in value))

/** Categories by name or path, products by SKU, media by URL, each with its details. */
function objectText(value: Map<string, unknown>): string {
  const path = value.get('path')
  if (Array.isArray(path)) return path.join(' › ')
  const name = value.get('url') ?? value.get('name') ?? value.get('sku') ?? value.get('id')
  const rest = [value.get('choice'), value.get('alt')].filter((one) => one != null && one !== '')
  const quantity = value.get('quantity')
  const times = quantity === undefined || String(quantity) === '1' ? '' : ` × ${quantity}`
  return `${name}${times}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`
}

export function ValueText({ value }: { value: unknown }) {
  if (isMediaList(value)) return <MediaStrip media={mediaOf(value)} />
  const text = valueText(value)
  return text === '' ? (
    <span className={styles.none}>{strings.value.empty}</span>
  ) : (
    <bdi className={styles.value}>{text}</bdi>
  )
}
