import type { Database } from '../database/database.ts'
import { mapInTurns } from '../database/scheduling/map-in-turns.ts'
import type { ProductRow } from '../products/describe-product.ts'
import { grades } from '../products/product.schema.ts'
import { findProducts } from '../products/product.sql.ts'
import { checkRules } from './check-rules.ts'
import { countProducts, spreadIds } from './preview.sql.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { QualityPreview } from './quality-rules.schema.ts'
import { gradeOf, scoreProduct } from './quality-score.ts'
import { makeRuleset, type Ruleset } from './ruleset.ts'

const mostProducts = 1_000
const mostChanges = 20
/** Products may be large, and scoring them by many rules may take long. */
const productsAtOnce = 20

type Change = QualityPreview['changes'][number]

/** What the scores of some products would be by other rules, beside the ruleset in force. It writes nothing. */
export async function previewRules(
  database: Database,
  projectId: number,
  inForce: Ruleset,
  rules: readonly QualityRule[],
): Promise<QualityPreview> {
  await checkRules(database, projectId, rules, false)
  const proposed = makeRuleset(inForce.version, { rules, definitions: inForce.definitions })
  const products = await countProducts(database, projectId)
  const ids = await spreadIds(database, projectId, { wanted: mostProducts, products })
  const failed = new Map(proposed.rules.map(({ code }) => [code, 0]))
  const scores: Change[] = []
  for (let start = 0; start < ids.length; start += productsAtOnce) {
    const keys = ids.slice(start, start + productsAtOnce).map((id) => ({ projectId, id }))
    const rows = await findProducts(database, keys)
    await mapInTurns(rows.values(), (row) => {
      const after = scoreProduct(row, proposed)
      for (const code of after.failed) failed.set(code, (failed.get(code) ?? 0) + 1)
      scores.push(changeOf(row, scoreProduct(row, inForce).score, after.score))
    })
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
    .slice(0, mostChanges)
}

function average(scores: number[]): number | null {
  if (scores.length === 0) return null
  return Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10
}
