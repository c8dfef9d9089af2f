/** The operations of edits, in the order in which messages list them. */
export const operations = [
  'set',
  'clear',
  'append',
  'prepend',
  'replace',
  'rename',
  'multiply',
  'add',
  'add_categories',
  'remove_categories',
] as const
export type Operation = (typeof operations)[number]

/** The kind of a value. It determines the schemas, the file cells and the console controls. */
export type Kind =
  | 'code'
  | 'text'
  | 'price'
  | 'choice'
  | 'categories'
  | 'attributes'
  | 'media'
  | 'product'
  | 'names'
  | 'components'
  | 'links'

/** Everything that the service and the console know about a field. A new field is an entry here and a column in migrations/. */
export type Field = {
  /** The name that users see. The API uses the key of the entry. */
  label: string
  kind: Kind
  /** For texts: the size of the console control, and the maximum number of characters. */
  size?: 'line' | 'paragraph' | 'document'
  longest?: number
  /** For choices. */
  choices?: readonly string[]
  /** Description in the OpenAPI document, in addition to that of the kind. */
  description?: string
  /** The value for a new product whose body leaves the field out. A field without a default is required. */
  default?: unknown
  /**
   * What a patch that names the field does, and how changes and edits name it: it replaces the value (`price`), it merges keys that
   * clients choose (`attributes.color`), or it merges the parts that the field has (`links.related`).
   */
  merges: 'whole' | 'by_key' | 'by_path'
  maxKeys?: number
  /** The parts of a field that merges by path, with their labels. */
  parts?: Readonly<Record<string, string>>
  /** Natural language: the fields that a prompt wrote by default. */
  isText: boolean
  /** What the value refers to. A write resolves it. Values that refer to the same categories or products are equal. */
  references?: 'categories' | 'products' | 'assets'
  /** The column of its values in views; undefined if it is the same in every view. A price update rewrites no translation. */
  viewColumn?: 'views' | 'view_offers'
  /** Whether a variant without a value inherits the value of its parent. */
  isInherited: boolean
  /** The edit operations for the field, or for each of its keys or parts. */
  edits: readonly Operation[]
  /** Whether it counts toward the completeness of the quality score. */
  isDescriptive: boolean
  /** The type of its column, and the column name if it differs from the field name. */
  type: 'text' | 'numeric' | 'jsonb' | 'bigint[]'
  column?: string
  /** Can be long: sent to the database only when it changes, and counted in the size of a product. Never null. */
  isLarge: boolean
  /** Most products leave it empty: a new product with the default neither sends it nor records it in its history. */
  isRare?: boolean
  /** A reference that can be bound during a write: an unchanged value stays as stored, not as it was read. */
  isBoundLater?: boolean
}
