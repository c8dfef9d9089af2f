import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import { qualityLimits } from '../../model/limits/quality.ts'
import { defaultRulesVersion } from '../../model/quality/default-rules.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Queryable, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { findProducts, type ProductKey } from '../products/product.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { computeScores, currentVersions, setScores, type VisitedProduct } from './scores.sql.ts'

const isOutdated = sql`product.quality_rules_version <> ${defaultRulesVersion}`

/** After a release that changed the rules, computes every stored score again, in short transactions. Several processes share the work. */
export async function applyDefaultRules(
  database: Writable,
  rulesets: Rulesets,
  signal: AbortSignal,
): Promise<void> {
  if (await areRulesApplied(database)) return
  while (!signal.aborted) {
    const { outdated, computed } = await computeOutdated(database, rulesets, signal)
    // Only after a walk without outdated products: an older release may have written products behind the previous walk.
    if (outdated === 0 && !signal.aborted) return markRulesApplied(database)
    if (computed === 0) return
  }
}

/** Walks through all products once, by key: no index covers outdated scores. */
async function computeOutdated(
  database: Writable,
  rulesets: Rulesets,
  signal: AbortSignal,
): Promise<{ outdated: number; computed: number }> {
  const result = { outdated: 0, computed: 0 }
  let after: ProductKey = { projectId: 0, id: 0 }
  await walkInBatches({ signal }, async () => {
    const visited = await listProductsAcrossProjects(database, after)
    const outdated = visited.filter((product) => product.outdated)
    result.outdated += outdated.length
    for (let start = 0; start < outdated.length && !signal.aborted; start += qualityLimits.scoredProducts)
      result.computed += await compute(
        database,
        rulesets,
        outdated.slice(start, start + qualityLimits.scoredProducts),
      )
    after = visited.at(-1) ?? after
    return visited.length < qualityLimits.checkedProducts || undefined
  })
  return result
}

async function compute(database: Writable, rulesets: Rulesets, keys: ProductKey[]): Promise<number> {
  const rows = [...(await findProducts(database, keys)).values()]
  const inForce = new Map<number, Ruleset>()
  for (const project of await currentVersions(database, rows))
    inForce.set(project.project_id, await rulesets.of(project))
  const scores = await computeScores(rows, ({ project }) => inForce.get(project) as Ruleset)
  return database.transaction(async (tx) => {
    await markUnrecordedChange(tx, [...inForce.keys()])
    return setScores(tx, scores, isOutdated)
  })
}

async function areRulesApplied(database: Queryable): Promise<boolean> {
  const rows = await database.query(
    sql`select from applied_quality_rules where version = ${defaultRulesVersion}`,
  )
  return rows.length > 0
}

async function markRulesApplied(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into applied_quality_rules (version) values (${defaultRulesVersion}) on conflict do nothing`)
}

/** The next products in key order, whether outdated or not. */
function listProductsAcrossProjects(
  database: Queryable,
  { projectId, id }: ProductKey,
): Promise<VisitedProduct[]> {
  return database.query(sql<VisitedProduct>`
    select project_id as "projectId", id, ${isOutdated} as outdated from products as product
    where (project_id, id) > (${projectId}, ${id}) order by project_id, id limit ${qualityLimits.checkedProducts}`)
}
