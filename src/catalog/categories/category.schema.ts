import { Type } from 'typebox'
import { CategoryId } from '../../model/categories/category-reference.ts'
import { categoryLimits } from '../../model/limits/categories.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { orderingParameter } from '../../platform/http/query/ordering.ts'
import { NameSchema, StoredNameSchema } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const Parent = Type.Unsafe<number | null>({ ...CategoryId, type: ['integer', 'null'] })
const Position = Type.Integer({ minimum: 0, maximum: categoryLimits.position })
const Count = Type.Integer({ minimum: 0 })

const fields = {
  id: Type.Integer(),
  name: Type.String(),
  project: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
  parent: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'ID of the parent category; null for a root category',
  }),
  path: Type.Array(Type.String(), { description: 'Category names from the root to this category' }),
  position: Type.Integer({
    description: 'Order among siblings; siblings with the same position are ordered by name',
  }),
}

export const CategorySchema = Type.Object(fields, {
  $id: 'Category',
  ...closed,
  examples: [
    {
      id: 1,
      name: 'Mugs',
      project: 1,
      created_at: '2026-01-31T08:15:30.000Z',
      updated_at: '2026-01-31T08:15:30.000Z',
      parent: null,
      path: ['Mugs'],
      position: 0,
    },
  ],
})
export type Category = Type.Static<typeof CategorySchema>

/** The response of GET for one category. */
export const CategoryDetailSchema = Type.Object(
  {
    ...fields,
    products: Type.Integer({ description: 'Products directly in this category' }),
    products_under: Type.Integer({
      description: 'Products in this category or below it, each counted once',
    }),
  },
  {
    $id: 'CategoryDetail',
    ...closed,
    examples: [
      {
        id: 1,
        name: 'Mugs',
        project: 1,
        created_at: '2026-01-31T08:15:30.000Z',
        updated_at: '2026-01-31T08:15:30.000Z',
        parent: null,
        path: ['Mugs'],
        position: 0,
        products: 2,
        products_under: 2,
      },
    ],
  },
)
export type CategoryDetail = Type.Static<typeof CategoryDetailSchema>

/** The body of POST. */
export const CategoryInputSchema = Type.Object(
  {
    name: NameSchema,
    parent: Type.Optional(Parent),
    position: Type.Optional(Position),
  },
  { $id: 'CategoryInput', ...closed, examples: [{ name: 'Mugs' }] },
)
export type CategoryInput = Type.Static<typeof CategoryInputSchema>

/** The body of PATCH. */
export const CategoryPatchSchema = updatable(
  Type.Object(
    {
      name: Type.Optional(StoredNameSchema),
      parent: Type.Optional(Parent),
      position: Type.Optional(Position),
    },
    { $id: 'CategoryPatch', ...closed, examples: [{ position: 2 }] },
  ),
  CategoryDetailSchema,
)
export type CategoryPatch = Type.Static<typeof CategoryPatchSchema>

/** An item of the list. It has counts only with `expand`. */
const ListedCategorySchema = Type.Object(
  {
    ...fields,
    products: Type.Optional(
      Type.Integer({ description: 'With `expand`: products directly in this category' }),
    ),
    children: Type.Optional(Type.Integer({ description: 'With `expand`: direct subcategories' })),
    subtree_products: Type.Optional(
      Type.Integer({
        description:
          'With `expand=subtree_counts`: the sum of `products` over this category and all categories below it. A product in several of them counts several times.',
      }),
    ),
  },
  { $id: 'ListedCategory', ...closed },
)
export type ListedCategory = Type.Static<typeof ListedCategorySchema>

export const CategoryPageSchema = PageOf(ListedCategorySchema, 'CategoryPage', {
  id: 1,
  name: 'Mugs',
  project: 1,
  created_at: '2026-01-31T08:15:30.000Z',
  updated_at: '2026-01-31T08:15:30.000Z',
  parent: null,
  path: ['Mugs'],
  position: 0,
})

export const CategoryQuerySchema = Type.Object({
  id__in: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
      style: 'form',
      explode: false,
      description: 'Categories with these IDs',
    }),
  ),
  parent: Type.Optional(Type.Integer({ minimum: 0, description: 'Direct subcategories of this category' })),
  parent__isnull: Type.Optional(Type.Boolean({ description: 'true: root categories; false: all others' })),
  search: Type.Optional(
    Type.String({ minLength: 1, description: 'Text that the name contains; case is ignored' }),
  ),
  expand: Type.Optional(
    OneOf(['counts', 'subtree_counts'], {
      description:
        '`counts` adds the numbers of products and direct subcategories. `subtree_counts` also adds `subtree_products`.',
    }),
  ),
  ordering: orderingParameter(
    ['id', 'name', 'natural_name', 'position'],
    '. `natural_name` ignores case and sorts numbers by value: Size 2 before Size 10',
  ),
  ...pageParameters,
})
export type CategoryQuery = Type.Static<typeof CategoryQuerySchema>

/** A category of the tree with its subcategories. */
export type CategoryNode = {
  id: number
  name: string
  position: number
  products: number
  children: CategoryNode[]
}
const CategoryNodeSchema = Type.Unsafe<CategoryNode>({
  $id: 'CategoryNode',
  ...Type.Object(
    {
      id: Type.Integer(),
      name: Type.String(),
      position: Type.Integer(),
      products: Type.Integer({ description: 'Products directly in this category' }),
      children: Type.Array(Type.Unsafe<CategoryNode>({ $ref: 'CategoryNode#' })),
    },
    closed,
  ),
})

export const CategoryTreeSchema = Type.Object(
  {
    count: Type.Integer({ description: 'Categories in this response' }),
    results: Type.Array(ref(CategoryNodeSchema)),
  },
  {
    $id: 'CategoryTree',
    ...closed,
    examples: [{ count: 1, results: [{ id: 1, name: 'Mugs', position: 0, products: 2, children: [] }] }],
  },
)
export type CategoryTree = Type.Static<typeof CategoryTreeSchema>

export const CategoryTreeQuerySchema = Type.Object({
  parent: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Return only the categories below this one' }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: categoryLimits.levels,
      description: 'Number of levels. Default: all',
    }),
  ),
})
export type CategoryTreeQuery = Type.Static<typeof CategoryTreeQuerySchema>

export const CategoryMergeSchema = Type.Object(
  { into: CategoryId },
  { $id: 'CategoryMerge', ...closed, examples: [{ into: 1 }] },
)

export const CategoryMergedSchema = Type.Object(
  {
    into: Type.Integer(),
    products: Type.Integer({ ...Count, description: 'Products that changed' }),
    children: Type.Integer({ ...Count, description: 'Subcategories that moved' }),
  },
  { $id: 'CategoryMerged', ...closed, examples: [{ into: 1, products: 0, children: 0 }] },
)
