import { Type } from 'typebox'
import { qualityLimits } from '../../model/limits/quality.ts'
import { grades } from '../../model/product/product.schema.ts'
import { QualityRuleSchema } from '../../model/quality/quality-rule.schema.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { rulesBody, rulesInForce, rulesPreview } from './quality-rules.examples.ts'

const Count = Type.Integer({ minimum: 0 })
const Score = Type.Integer({ minimum: 0, maximum: 100 })
const AverageScore = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'Rounded to one decimal place; null if there are no products',
})

/** The body of POST /quality-rules/preview. */
export const QualityRulesInputSchema = Type.Object(
  { rules: Type.Array(QualityRuleSchema, { maxItems: qualityLimits.rules }) },
  { $id: 'QualityRulesInput', ...closed, examples: [rulesBody] },
)

const Progress = Type.Object(
  { scored: Count, products: Count },
  { ...closed, description: 'null: all products are scored by these rules' },
)

export const QualityRulesSchema = Type.Object(
  {
    ruleset: Type.Integer({
      description: 'Version of the rules in force, as in `quality_score.ruleset`; 0: the default rules',
    }),
    rules: Type.Array(ref(QualityRuleSchema)),
    added_rules: Type.Array(ref(QualityRuleSchema), {
      description:
        'Rules that also count: `attribute_definitions`, if the project defines attributes and `rules` has no rule of this kind',
    }),
    progress: Type.Unsafe<Type.Static<typeof Progress> | null>({
      ...Progress,
      type: ['object', 'null'],
      'x-measured': true,
    }),
  },
  { $id: 'QualityRules', ...closed, examples: [rulesInForce] },
)
export type QualityRules = Type.Static<typeof QualityRulesSchema>

/** The body of PUT. */
export const QualityRulesReplaceSchema = updatable(
  Type.Object(QualityRulesInputSchema.properties, {
    $id: 'QualityRulesReplace',
    ...closed,
    examples: [rulesBody],
  }),
  QualityRulesSchema,
)

const Change = Type.Object(
  { id: Type.Integer(), sku: Type.String(), name: Type.String(), before: Score, after: Score },
  closed,
)

export const QualityPreviewSchema = Type.Object(
  {
    looked_at: Type.Integer({
      ...Count,
      description: 'Products scored: at most 1,000, spread evenly by ID; fewer if the rules are slow',
    }),
    products: Type.Integer({ ...Count, description: 'Products in the project' }),
    average: Type.Object({ before: AverageScore, after: AverageScore }, closed),
    grades: Type.Array(Type.Object({ grade: OneOf(grades), before: Count, after: Count }, closed), {
      description: 'Number of scored products with each grade, from A to E',
    }),
    rules: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          failed: Type.Integer({ ...Count, description: 'Number of scored products that fail the rule' }),
        },
        closed,
      ),
    ),
    changes: Type.Array(Change, {
      description: `The ${qualityLimits.previewedChanges} products whose score would change most`,
    }),
  },
  { $id: 'QualityPreview', ...closed, examples: [rulesPreview] },
)
export type QualityPreview = Type.Static<typeof QualityPreviewSchema>
