/** Newer exports have other names for the same columns. */
const newerNames = new Map(
  Object.entries({
    'url handle': 'Handle',
    description: 'Body (HTML)',
    'published on online store': 'Published',
    sku: 'Variant SKU',
    barcode: 'Variant Barcode',
    price: 'Variant Price',
    'compare-at price': 'Variant Compare At Price',
    'weight value (grams)': 'Variant Grams',
    'weight unit for display': 'Variant Weight Unit',
    'inventory tracker': 'Variant Inventory Tracker',
    'inventory quantity': 'Variant Inventory Qty',
    'continue selling when out of stock': 'Variant Inventory Policy',
    'requires shipping': 'Variant Requires Shipping',
    'fulfillment service': 'Variant Fulfillment Service',
    'charge tax': 'Variant Taxable',
    'tax code': 'Variant Tax Code',
    'product image url': 'Image Src',
    'variant image url': 'Variant Image',
  }),
)

export const options = [1, 2, 3] as const

const taken = [
  ...['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published', 'Status'],
  ...options.flatMap((number) => [`Option${number} Name`, `Option${number} Value`]),
  ...['SKU', 'Barcode', 'Price', 'Compare At Price', 'Grams', 'Weight Unit'].map((name) => `Variant ${name}`),
  ...['Inventory Tracker', 'Inventory Qty', 'Inventory Policy'].map((name) => `Variant ${name}`),
  ...['Variant Requires Shipping', 'Variant Image', 'Image Src', 'Image Position', 'Image Alt Text'],
]
const spellings = new Map(taken.map((name) => [name.toLowerCase(), name]))

/** Default values in the export. */
export const defaults = {
  'Gift Card': 'false',
  'Gift card': 'false',
  'Variant Taxable': 'true',
  'Variant Fulfillment Service': 'manual',
}

/** Returns the older name of a column. */
export function olderColumnName(column: string): string {
  const plain = column.trim().toLowerCase()
  return newerNames.get(plain) ?? spellings.get(plain) ?? column.trim()
}

export function isTaken(name: string): boolean {
  return spellings.has(name.toLowerCase())
}

/** Whether an unmapped column belongs to the variant. The others belong to the product and are in its first row. */
export function isVariantColumn(name: string): boolean {
  return /^(Variant |Cost per item|Included \/|Price \/|Compare[ -]at price \/|Unit price )/i.test(name)
}

const ofEachRow = ['Handle', 'Variant SKU', 'Image Src', 'Image Position', 'Image Alt Text']

/** Columns that are read only from the first row of a product. */
export function isProductColumn(name: string): boolean {
  const isOption = /^Option\d Value$/.test(name)
  return name !== '' && name !== 'errors' && !isOption && !isVariantColumn(name) && !ofEachRow.includes(name)
}
