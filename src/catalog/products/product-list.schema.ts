import { type TSchema, Type } from 'typebox'
import { ProductTypeSchema, StatusSchema } from '../../model/fields/field-schemas.ts'
import { productTypes, statuses, textsOfSize } from '../../model/fields/product-fields.ts'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import {
  type ProductDetail,
  ProductDetailSchema,
  Timestamp,
  viewParameter,
} from '../../model/product/product.schema.ts'
import { versionPattern } from '../../model/prompts/version-number.ts'
import { defaultRules } from '../../model/quality/default-rules.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import type { KeyedFilter } from '../../platform/http/query/keyed-parameters.ts'
import { orderingParameter } from '../../platform/http/query/ordering.ts'
import { EnvelopeOf, PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { listLimits } from '../limits.ts'

/* The parameters and pages of GET /products. In the core, because the export accepts the same filters. */

export const orderingFields = [
  'id',
  'sku',
  'name',
  'status',
  'product_type',
  'price',
  'created_at',
  'updated_at',
  'quality_score',
] as const

/** Specification 2.2, exactly. */
const ProductSchema = Type.Object(
  {
    id: Type.Integer(),
    sku: Type.String(),
    name: Type.String(),
    status: StatusSchema,
    product_type: ProductTypeSchema,
    created_at: Timestamp,
    project: Type.Integer(),
  },
  { $id: 'Product', ...closed },
)
export type Product = Type.Static<typeof ProductSchema>

/** The texts that `search_in=all` includes. */
export const longTexts = textsOfSize('document', 'paragraph')

export const matchKinds = ['word', 'beginning', 'part', 'close'] as const
export const matchFields = ['name', 'sku', ...longTexts] as const

const MatchSchema = Type.Object(
  {
    field: OneOf(matchFields),
    kind: OneOf(matchKinds, {
      description: 'How the word occurs: as a whole word, the beginning or a part of one, or with a typo',
    }),
    term: Type.String({ description: 'The word of `search`, in lowercase' }),
    text: Type.String({
      maxLength: listLimits.matchCharacters,
      description: 'The matching words of the field; for descriptions, with the words around them',
    }),
  },
  {
    $id: 'SearchMatch',
    ...closed,
    description: 'With expand=match: why the item matches, for the word of `search` that matches least',
    examples: [{ field: 'name', kind: 'close', term: 'stonewear', text: 'Stoneware' }],
  },
)
export type SearchMatch = Type.Static<typeof MatchSchema>

/** Serializes GET /products?expand=detail, with or without matches. */
export const ProductDetailPageSchema = EnvelopeOf(
  Type.Object({ ...ProductDetailSchema.properties, match: Type.Optional(MatchSchema) }, closed),
)

/**
 * Only for the OpenAPI document: a list item with or without expand=detail. It is one schema, because most client generators turn a
 * union into a type whose fields cannot be read.
 */
const ListedProductSchema = Type.Unsafe<(Product | ProductDetail) & { match?: SearchMatch }>({
  $id: 'ListedProduct',
  type: 'object',
  properties: {
    ...ProductSchema.properties,
    ...Object.fromEntries(
      Object.entries(ProductDetailSchema.properties)
        .filter(([name]) => !(name in ProductSchema.properties))
        .map(([name, field]) => [name, onlyWithDetail(field)]),
    ),
    match: ref(MatchSchema),
  },
  required: Object.keys(ProductSchema.properties),
  ...closed,
})

export const ListedProductPageSchema = PageOf(ListedProductSchema, 'ListedProductPage', {
  id: 1,
  sku: 'MUG-300-SAND',
  name: 'Stoneware mug, 0.3 l',
  status: 'active',
  product_type: 'simple',
  created_at: '2026-01-31T08:15:30.000Z',
  project: 1,
})

function onlyWithDetail({ description, ...field }: TSchema & { description?: string }): object {
  return {
    ...field,
    description: `With expand=detail${description === undefined ? '' : `: ${description}`}`,
  }
}

function viewCode(description: string) {
  return Type.String({ pattern: viewCodePattern, description: `A view code: ${description}` })
}

const Identifier = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const Price = Type.Number({ minimum: 0 })
const Time = Type.String({ format: 'date-time' })
const CommaList = { style: 'form', explode: false }

/** Parameters of GET /products. */
export const ProductQuerySchema = Type.Object({
  project: Type.Optional(
    Type.Integer({
      ...Identifier,
      'x-aliases': ['project_id'],
      description: 'The project of the token. Any other ID matches no products',
    }),
  ),
  status: Type.Optional(OneOf(statuses, { 'x-aliases': ['state'] })),
  product_type: Type.Optional(OneOf(productTypes, { 'x-aliases': ['type'] })),
  category: Type.Optional(
    Type.Integer({
      ...Identifier,
      'x-aliases': ['category_id'],
      description: 'The ID of a category; does not include its subcategories',
    }),
  ),
  category__under: Type.Optional(
    Type.Integer({ ...Identifier, description: 'The ID of a category; includes all its subcategories' }),
  ),
  category_path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 3_000,
      description:
        'The category with this path, such as `Home/Lamps`. Write a slash or a backslash in a name as `\\/` or `\\\\`. Use it instead of `category`',
    }),
  ),
  category_path__under: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 3_000,
      description: 'The category with this path and all its subcategories',
    }),
  ),
  sku: Type.Optional(Type.String({ description: 'The exact SKU' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Words that must all occur in the SKU or the name. Case is ignored; % and _ have no special meaning',
    }),
  ),
  search_in: Type.Optional(
    OneOf(['name', 'all'], {
      default: 'name',
      description:
        'The fields that `search` searches: `all` includes description and short_description. These have no index, so combine `all` with other filters',
    }),
  ),
  match: Type.Optional(
    OneOf(['exact', 'close'], {
      default: 'exact',
      description:
        'With `search`: `close` also finds SKUs and names that have a word with one typo. A word of one or two letters then only affects the order, unless all words are that short. The default order is by relevance',
    }),
  ),
  name__icontains: Type.Optional(
    Type.String({ minLength: 1, description: 'Text that the name contains; case is ignored' }),
  ),
  in_stock: Type.Optional(
    Type.Boolean({ description: 'true: products that are in stock; false: all others' }),
  ),
  low_stock: Type.Optional(
    Type.Boolean({
      description:
        'true: products that track their own stock and have `low_stock_threshold` or fewer available; false: all others',
    }),
  ),
  has_image: Type.Optional(
    Type.Boolean({ description: 'true: products with at least one image; false: all others' }),
  ),
  parent: Type.Optional(Type.Integer({ ...Identifier, description: 'Variants of the product with this ID' })),
  parent_sku: Type.Optional(
    Type.String({ minLength: 1, description: 'Variants of the product with this SKU' }),
  ),
  parent__isnull: Type.Optional(
    Type.Boolean({ description: 'true: products that are not variants; false: variants' }),
  ),
  component: Type.Optional(
    Type.Integer({ ...Identifier, description: 'Bundles and groups that contain the product with this ID' }),
  ),
  linked_to: Type.Optional(
    Type.Integer({
      ...Identifier,
      description: 'Products with a link of any kind to the product with this ID',
    }),
  ),
  unbound: Type.Optional(
    Type.Boolean({
      description: 'true: products that reference a SKU that does not exist; false: all others',
    }),
  ),
  price__gte: Type.Optional(Price),
  price__lte: Type.Optional(Price),
  created_at__gte: Type.Optional(Time),
  created_at__lt: Type.Optional(Time),
  updated_at__gte: Type.Optional(
    Type.String({
      ...Time,
      description: 'Compared with `updated_at`, which changes of stock or category names do not affect',
    }),
  ),
  updated_at__lt: Type.Optional(Time),
  inventory_updated_at__gte: Type.Optional(
    Type.String({ ...Time, description: 'Compared with `inventory.updated_at`' }),
  ),
  inventory_updated_at__lt: Type.Optional(Time),
  quality_score__gte: Type.Optional(Type.Integer({ maximum: 100 })),
  quality_score__lte: Type.Optional(Type.Integer({ maximum: 100 })),
  quality_rule: Type.Optional(
    Type.String({
      minLength: 1,
      description: `Products that fail this rule: ${defaultRules.map(({ code }) => code).join(', ')}, or a code from the project's own rules`,
    }),
  ),
  written_by_prompt: Type.Optional(
    Type.Integer({
      ...Identifier,
      description: 'Products with a field that this prompt wrote and that has not changed since',
    }),
  ),
  written_by_version: Type.Optional(
    Type.String({
      pattern: versionPattern,
      description: 'With `written_by_prompt`: only this version of the prompt',
    }),
  ),
  written_by_version__lt: Type.Optional(
    Type.String({
      pattern: versionPattern,
      description: 'With `written_by_prompt`: only versions below this one',
    }),
  ),
  missing_in: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'A view code, or a code and a field such as `de.description`: products without a value that the view requires',
    }),
  ),
  stale_in: Type.Optional(
    viewCode('products with a text of this view whose source has changed since it was written'),
  ),
  differs_in: Type.Optional(viewCode('products with values of their own in this view')),
  id__in: Type.Optional(Type.Array(Identifier, CommaList)),
  sku__in: Type.Optional(Type.Array(Type.String(), CommaList)),
  status__in: Type.Optional(Type.Array(StatusSchema, CommaList)),
  product_type__in: Type.Optional(Type.Array(ProductTypeSchema, CommaList)),
  category__in: Type.Optional(Type.Array(Identifier, CommaList)),
  attributes: Type.Optional(
    Type.Unsafe<KeyedFilter[]>({
      type: 'object',
      additionalProperties: { type: 'string' },
      style: 'deepObject',
      explode: true,
      'x-keyed': true,
      description:
        'One parameter per attribute: `attributes[Shoe Size]=42`, or `attributes__color=red` if the name does not contain `__`. Both forms accept the suffixes `__in`, `__icontains`, `__isnull`, `__gte` and `__lte`. An attribute with several values matches if any value matches. Bounds are numbers, or dates if the attribute is defined as a date',
    }),
  ),
  view: viewParameter(
    'Items have the name and status of this view. With `expand=detail`, they have all its values, and their origin in `view`',
  ),
  expand: Type.Optional(
    // Words instead of a list, because clients that were generated before send a word.
    OneOf(['detail', 'match', 'detail,match', 'match,detail'], {
      description:
        '`detail` returns product details instead of list items. `match` adds why an item matches `search`',
    }),
  ),
  ordering: orderingParameter(
    [...orderingFields, 'relevance'],
    '. `relevance` requires `search` and cannot be combined. It sorts whole words before beginnings, parts and typos of words, and matches in the name before those in the SKU and in descriptions',
  ),
  ...pageParameters,
})
export type ProductQuery = Type.Static<typeof ProductQuerySchema>

const {
  page: _page,
  page_size: _size,
  expand: _expand,
  ordering: _ordering,
  view: _view,
  ...filters
} = ProductQuerySchema.properties

/** The filters without paging and format, for all routes that accept the filters of the list. */
export const productFilters = filters
