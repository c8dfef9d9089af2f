const names = [
  'gtin',
  'gtin8',
  'gtin12',
  'gtin13',
  'gtin14',
  'ean',
  'ean8',
  'ean13',
  'upc',
  'isbn',
  'isbn13',
  'barcode',
]

/** The attributes whose values are GTINs, in the spellings `ean`, `EAN` and `Ean`. */
export const gtinNames = names.flatMap((name) => [
  name,
  name.toUpperCase(),
  name.charAt(0).toUpperCase() + name.slice(1),
])
