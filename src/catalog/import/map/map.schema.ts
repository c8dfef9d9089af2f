import { Type } from 'typebox'
import { fieldsOfKind } from '../../../model/fields/product-fields.ts'
import { viewCodePattern } from '../../../model/fields/view-paths.ts'
import { figureColumns, linkPrefix, switchColumns } from '../../../model/files/csv-columns.ts'
import { linkKinds } from '../../../model/structure/link-kinds.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf } from '../../../platform/http/openapi.ts'
import { cellTypes } from '../rows/cell-types.ts'

/** Fields for columns, in addition to `attributes.<name>`. `variants` is not a field: variants become separate products. */
const plain: readonly string[] = [
  ...fieldsOfKind('code', 'text', 'choice'),
  ...figureColumns,
  ...switchColumns,
  ...fieldsOfKind('categories'),
  ...fieldsOfKind('media'),
  ...fieldsOfKind('attributes'),
  ...fieldsOfKind('product', 'names'),
  'variants',
  ...fieldsOfKind('components'),
  ...linkKinds.map((kind) => linkPrefix + kind),
]

/** Formats of cells with several parts, see docs/moving-in.md. */
export const forms = {
  pairs: 'attributes',
  variants: 'variants',
  bundle: 'components',
  quantities: 'components',
}

const Field = Type.String({
  pattern: `^(${plain.map((name) => name.replace('.', '\\.')).join('|')}|attributes\\..{1,100})$`,
  description: `one of ${plain.join(', ')}, attributes.<name>`,
})
const ViewCode = Type.String({ pattern: viewCodePattern })
const Mark = Type.String({ minLength: 1, maxLength: 10 })
const Scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })

const RuleSchema = Type.Object(
  {
    field: Field,
    view: Type.Optional(ViewCode),
    split: Type.Optional(Mark),
    path: Type.Optional(Mark),
    unit: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
    unit_from: Type.Optional(Type.String({ minLength: 1 })),
    usual_unit: Type.Optional(Type.String({ minLength: 1 })),
    type: Type.Optional(OneOf(cellTypes)),
    values: Type.Optional(Type.Record(Type.String(), Scalar)),
    form: Type.Optional(OneOf(Object.keys(forms) as (keyof typeof forms)[])),
  },
  closed,
)
export type Rule = Type.Static<typeof RuleSchema>

/** A map in long form: a file may use `"column": "field"` for `"column": {"field": "field"}`. */
export const MapSchema = Type.Object(
  {
    about: Type.Optional(Type.String()),
    columns: Type.Record(
      Type.String(),
      Type.Unsafe<Rule | null>({ ...RuleSchema, type: ['object', 'null'] }),
    ),
    constant: Type.Optional(Type.Record(Type.String(), Scalar)),
    fill_down: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    views: Type.Optional(Type.Record(Type.String({ minLength: 1 }), ViewCode)),
    view_from: Type.Optional(Type.String({ minLength: 1 })),
    nameless: Type.Optional(OneOf(['parent'])),
    skip: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    ignore: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    rest: Type.Optional(OneOf(['attributes'])),
  },
  closed,
)
export type ColumnMap = Type.Static<typeof MapSchema>

export const isField = (name: string) => plain.includes(name) || /^attributes\../.test(name)
