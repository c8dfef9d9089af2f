import { productLimits } from '../limits/products.ts'

/* No Node APIs, because the console bundles this file. */

const imageFile = /^(?<stem>.+)\.(?:jpe?g|png|webp|gif|avif)$/i
const numberedStem = /^(?<sku>.+)_(?<place>[1-9][0-9]?)$/

/** The SKUs that the name of an image may have: `MUG_2.jpg` is an image of MUG_2, or the second image of MUG. */
export function skusInName(name: string): string[] {
  const stem = stemOf(name)
  if (stem === undefined) return []
  const sku = numberedStem.exec(stem)?.groups?.['sku']
  return sku === undefined ? [stem] : [stem, sku]
}

/** The part before the extension. Some systems store the letters of names decomposed. */
function stemOf(name: string): string | undefined {
  return imageFile.exec(name.normalize('NFC'))?.groups?.['stem']?.trim()
}

type Named = { name: string }

/** Images by SKU, in their order. Names without a product are left over. */
export function groupBySku<Image extends Named>(
  images: readonly Image[],
  isSku: (text: string) => boolean,
): { bySku: Map<string, Image[]>; leftOver: Image[] } {
  const { found = [], leftOver = [] } = Object.groupBy(
    images.map((image) => ({ image, ...placeOf(image.name, isSku) })),
    ({ sku }) => (sku === undefined ? 'leftOver' : 'found'),
  )
  const sorted = found.sort(
    (one, other) => one.place - other.place || (one.image.name < other.image.name ? -1 : 1),
  )
  const groups = Map.groupBy(sorted, ({ sku }) => sku as string)
  return {
    bySku: new Map(
      [...groups].map(([sku, some]) => [sku, some.slice(0, productLimits.media).map(({ image }) => image)]),
    ),
    leftOver: leftOver.map(({ image }) => image),
  }
}

/** A whole name takes precedence over one with a number. */
function placeOf(name: string, isSku: (text: string) => boolean): { sku?: string; place: number } {
  const [whole = '', shorter] = skusInName(name)
  if (isSku(whole)) return { sku: whole, place: 1 }
  if (shorter === undefined || !isSku(shorter)) return { place: 0 }
  return { sku: shorter, place: Number(whole.slice(shorter.length + 1)) }
}
