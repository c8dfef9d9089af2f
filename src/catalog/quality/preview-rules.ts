import { qualityLimits } from '../../model/limits/quality.ts'
import { grades } from '../../model/product/product.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { gradeOf, scoreProduct } from '../../model/quality/quality-score.ts'
import { createRuleset, type Ruleset } from '../../model/quality/ruleset.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { findProducts } from '../products/product.sql.ts'
import { checkRules } from './check-rules.ts'
import { countProducts, spreadIds } from './preview.sql.ts'
import type { QualityPreview } from './quality-rules.schema.ts'

/** Products can be large, and many rules can take long. */
const productsAtOnce = 20

type Change = QualityPreview['changes'][number]

/** Compares the scores of some products under other rules with those under the ruleset in force. */
export async function previewRules(
  database: Queryable,
  projectId: number,
  inForce: Ruleset,
  rules: readonly QualityRule[],
  budgetMilliseconds: number = qualityLimits.previewMilliseconds,
): Promise<QualityPreview> {
  await checkRules(database, projectId, rules, false)
  const proposed = createRuleset(inForce.version, {
    rules,
    definitions: inForce.definitions,
    views: null,
  })
  const products = await countProducts(database, projectId)
  const ids = await spreadIds(database, projectId, { wanted: qualityLimits.previewedProducts, products })
  const failed = new Map(proposed.rules.map(({ code }) => [code, 0]))
  const scores: Change[] = []
  let spent = 0
  const score = (row: ProductRow) => {
    const began = performance.now()
    const after = scoreProduct(row, proposed)
    for (const code of after.failed) failed.set(code, (failed.get(code) ?? 0) + 1)
    scores.push(changeOf(row, scoreProduct(row, inForce).score, after.score))
    spent += performance.now() - began
  }
  for (const batch of spreadBatches(ids)) {
    const rows = await findProducts(
      database,
      batch.map((id) => ({ projectId, id })),
    )
    await mapInTurns(rows.values(), score, { rests: true })
    if (spent > budgetMilliseconds) break
  }
  return {
    looked_at: scores.length,
    products,
    average: {
      before: average(scores.map(({ before }) => before)),
      after: average(scores.map(({ after }) => after)),
    },
    grades: gradesOf(scores),
    rules: [...failed].map(([code, count]) => ({ code, failed: count })),
    changes: largestChanges(scores),
  }
}

/** Each batch is spread over all IDs, so that the first batches alone are a fair sample. */
function spreadBatches(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / productsAtOnce)
  return Array.from({ length: count }, (_, batch) => ids.filter((_id, index) => index % count === batch))
}

function changeOf({ id, sku, name }: ProductRow, before: number, after: number): Change {
  return { id, sku, name, before, after }
}

function gradesOf(scores: readonly Change[]): QualityPreview['grades'] {
  const counts = grades.map((grade) => ({ grade, before: 0, after: 0 }))
  const of = (score: number) => counts[grades.indexOf(gradeOf(score))] as (typeof counts)[number]
  for (const { before, after } of scores) {
    of(before).before += 1
    of(after).after += 1
  }
  return counts
}

function largestChanges(scores: Change[]): Change[] {
  const sizeOf = ({ before, after }: Change) => Math.abs(after - before)
  return scores
    .filter((change) => sizeOf(change) > 0)
    .sort((one, other) => sizeOf(other) - sizeOf(one) || one.id - other.id)
    .slice(0, qualityLimits.previewedChanges)
}

function average(scores: number[]): number | null {
  if (scores.length === 0) return null
  return Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10
}
