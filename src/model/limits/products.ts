import { mebibyte } from '../../platform/units.ts'

/** Products */
export const productLimits = {
  /** SKU */
  skuCharacters: 64,
  /** Description */
  descriptionCharacters: 100_000,
  /** Short description */
  shortDescriptionCharacters: 5_000,
  /** Highest price */
  price: 99_999_999.9999,
  /** Price, digits after the decimal point */
  priceDecimals: 4,
  /** Stock: quantity, reserved, low-stock threshold and each adjustment */
  stock: 1_000_000_000_000,
  /** Categories per product */
  categories: 100,
  /** Attributes per product */
  attributes: 200,
  /** Attribute name */
  attributeNameCharacters: 100,
  /** Attribute value */
  attributeValueCharacters: 10_000,
  /** Values of one attribute */
  attributeValues: 100,
  /** Media items per product */
  media: 50,
  /** Media URL */
  mediaUrlCharacters: 2_048,
  /** Alternative text or title of a media item */
  mediaTextCharacters: 500,
  // The limit of one body. Patches could otherwise add up to a product that no push can contain.
  /** Descriptions, attributes and media of one product, in total */
  textBytes: mebibyte,
  // All attributes, and fewer than 50 other fields.
  /** Fields in a revert or a provenance entry */
  namedFields: 250,
  /** Name of such a field */
  namedFieldCharacters: 150,
  /** Model name in a provenance entry */
  modelCharacters: 200,
} as const

/** Variants, bundles, groups and links */
export const structureLimits = {
  /** Variants per product */
  variants: 2_000,
  /** Variant axes per product */
  axes: 5,
  /** Value of an attribute that is a variant axis */
  axisValueCharacters: 255,
  /** Components per bundle or group */
  components: 100,
  /** Quantity of one component */
  componentQuantity: 1_000_000,
  /** Links per product and kind */
  links: 50,
  /** Waiting variants that one statement adds to their parents */
  boundVariants: 250,
} as const
