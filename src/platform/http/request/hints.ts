import { suggestNames } from './suggest-names.ts'

/** Names that other services use, and their names here. A hint is given if that name exists. */
const meantParameters: Record<string, readonly string[]> = {
  name: ['name__icontains', 'search'],
  title: ['name__icontains', 'search'],
  q: ['search'],
  query: ['search'],
  keyword: ['search'],
  text: ['search'],
  offset: ['page', 'page_size'],
  start: ['page', 'page_size'],
  skip: ['page', 'page_size'],
  cursor: ['page', 'page_size'],
  size: ['page_size'],
  order: ['ordering'],
  order_by: ['ordering'],
  orderby: ['ordering'],
  sort_by: ['ordering'],
  id: ['id__in'],
  ids: ['id__in'],
  skus: ['sku__in'],
  statuses: ['status__in'],
  categories: ['category__in'],
  price: ['price__gte', 'price__lte'],
  quality_score: ['quality_score__gte', 'quality_score__lte'],
  min_price: ['price__gte'],
  max_price: ['price__lte'],
  since: ['updated_at__gte'],
  updated_since: ['updated_at__gte'],
  modified_since: ['updated_at__gte'],
  prompt: ['written_by_prompt'],
  prompt_id: ['written_by_prompt'],
  events: ['types'],
  event_types: ['types'],
  variant_of: ['parent', 'parent_sku'],
  parent_id: ['parent'],
  category_name: ['category_path'],
}

/** Paging parameters of other services, for lists without pages. */
const ofPages = new Set(['page', 'page_size', 'per_page', 'limit', 'offset', 'start', 'skip', 'cursor'])

const meantFields: Record<string, string> = {
  type: 'product_type',
  title: 'name',
  category: 'categories',
  quantity: 'inventory.quantity',
  qty: 'inventory.quantity',
  stock: 'inventory.quantity',
  text: 'prompt_text',
  prompt_id: 'provenance.prompt_id',
  prompt: 'provenance.prompt_id',
  image: 'media',
  images: 'media',
  image_url: 'media',
  pictures: 'media',
  photos: 'media',
  files: 'media',
  events: 'types',
  event_types: 'types',
  endpoint: 'url',
  parent_id: 'parent',
  parent_sku: 'parent',
  state: 'status',
}

/** Statuses of other systems. */
const meantChoices: Record<string, string> = {
  draft: 'pending',
  unpublished: 'pending',
  published: 'active',
  enabled: 'active',
  live: 'active',
  disabled: 'inactive',
  hidden: 'inactive',
  deleted: 'archived',
  variable: 'configurable',
  variant: 'simple',
  group: 'grouped',
}

const valueHints: Record<string, string> = {
  category: '; GET /categories lists category IDs by name',
  category__in: '; GET /categories lists category IDs by name',
}

/** The fields of each body, by the name of its schema. */
const arrayHints: Record<string, string> = {
  ProductCreate: 'Send one product as an object; POST /products/bulk takes an array of products.',
  ProductPut: 'Send one product as an object; POST /products/bulk takes an array of products.',
  ProductPatch: 'Send one change as an object; POST /products/bulk takes an array of changed products.',
}

const pathHints: readonly { path: RegExp; detail: string }[] = [
  {
    path: /\/products\/:id/,
    detail:
      'A product ID is a whole number. To find a product and its ID by SKU, use GET /products/by-sku/{sku}.',
  },
  {
    path: /\/categories\/:id/,
    detail: 'A category ID is a whole number. GET /categories lists category IDs by name.',
  },
]

/** A hint for a route that does not exist, if its content is available elsewhere. */
const elsewhere: readonly { path: RegExp; detail: string }[] = [
  {
    path: /\/products\/[^/]+\/variants\/?$/,
    detail:
      'GET /products?parent={id} lists the variants of a product, and ?parent_sku={sku} finds them by SKU.',
  },
  {
    path: /\/products\/[^/]+\/(images|media)\/?$/,
    detail: 'Media is a field of the product. Read it with GET /products/{id}, and change it with PATCH.',
  },
  {
    path: /\/variants\/?$/,
    detail: 'Variants are products: GET /products?parent__isnull=false lists them.',
  },
]

export function elsewhereHint(path: string): { detail: string } | undefined {
  return elsewhere.find((one) => one.path.test(path))
}

export function parameterHint(given: string, names: readonly string[], family: string | undefined): string {
  const word = given.toLowerCase()
  const meant = Object.hasOwn(meantParameters, word) ? (meantParameters[word] ?? []) : []
  const existing = meant.filter((name) => names.includes(name))
  if (existing.length > 0) return `; write ${existing.map((name) => `"${name}"`).join(' or ')}`
  if (ofPages.has(word) && !names.includes('page')) return '; this list has no pages'
  if (word === family) return `; an attribute is written ${family}__name or ${family}[any name]`
  return (family === undefined ? undefined : keyHint(given, family, names)) ?? suggestNames(given, names)
}

/** If the route has parameters for any key, an unknown name may be a key. */
function keyHint(given: string, family: string, names: readonly string[]): string | undefined {
  const [, key] = new RegExp(`^${family}[._:-]+(\\w+)$`).exec(given) ?? []
  if (key !== undefined) return `; an attribute is written ${family}__${key}`
  const others = suggestNames(given, names)
  if (others.includes('did you mean') || !/^[a-z]\w{0,63}$/i.test(given)) return undefined
  return `; if it is an attribute, write ${family}__${given}${others}`
}

export function severalValuesHint(list: string): string {
  return `; to send several values, use ${list} with commas`
}

export function valueHint(parameter: string): string {
  return valueHints[parameter] ?? ''
}

/** Other services use `price:desc`, `price desc` and `+price`. */
export function orderingHint(term: string, fields: readonly string[]): string {
  const [, sign, field = '', direction = ''] = /^([ +-]?)(\w+)(?:[ :.]+(asc|desc))?$/i.exec(term) ?? []
  if (!fields.includes(field)) return suggestNames(field || term, fields)
  const descends = sign === '-' || direction.toLowerCase() === 'desc'
  return `; write ordering=${descends ? '-' : ''}${field}${descends ? '' : `, or ordering=-${field} for descending`}`
}

type Properties = Record<string, { properties?: Properties }>

export function fieldHint(given: string, properties: Properties): string {
  const meant = Object.hasOwn(meantFields, given) ? (meantFields[given] ?? '') : ''
  const [field = '', part] = meant.split('.')
  if (part !== undefined && properties[field]?.properties?.[part] !== undefined)
    return `; write {"${field}": {"${part}": …}}`
  if (part === undefined && Object.hasOwn(properties, field)) return `; did you mean "${field}"?`
  return suggestNames(given, Object.keys(properties))
}

/** A hint for a word that other services use for one of the choices. */
export function choiceHint(value: unknown, choices: readonly string[]): string {
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  const meant = Object.hasOwn(meantChoices, word) ? (meantChoices[word] ?? '') : ''
  const choice = choices.includes(word) ? word : meant
  return choices.includes(choice) ? `; write "${choice}"` : ''
}

/** A hint for a value of the wrong type; `properties` are those of the expected object. */
export function typeHint(types: readonly string[], value: unknown, properties: object = {}): string {
  if (typeof value !== 'string') return ''
  const key = types.includes('object') ? ['sku', 'url'].find((name) => name in properties) : undefined
  if (key !== undefined) return `; write {"${key}": ${JSON.stringify(value.slice(0, 100))}}`
  const isNumber =
    /^-?\d{1,20}(\.\d{1,20})?$/.test(value) && types.some((type) => /number|integer/.test(type))
  const isBoolean = /^(true|false)$/.test(value) && types.includes('boolean')
  return isNumber || isBoolean ? `, without quotes: ${value}` : ''
}

/** A hint for an array where the route expects one object. */
export function arrayHint(body: unknown, schemaName = ''): { detail: string } | undefined {
  const detail = Array.isArray(body) ? arrayHints[schemaName] : undefined
  return detail === undefined ? undefined : { detail }
}

/** A hint for a path whose ID is not a number. */
export function pathHint(url: string): { detail: string } | undefined {
  return pathHints.find(({ path }) => path.test(url))
}

/** A hint for an Authorization header that is not "Bearer" and a token. It never repeats the header, which may be a secret. */
export function authorizationHint(header: string): { detail: string } | undefined {
  if (/^Bearer +\S+$/i.test(header)) return undefined
  return {
    detail: 'The Authorization header must be the word "Bearer", a space and the token: Bearer <API token>.',
  }
}
