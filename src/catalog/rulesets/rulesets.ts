import type { ProductRow } from '../../model/product/product-row.ts'
import { createRuleset, defaultRuleset, type Ruleset } from '../../model/quality/ruleset.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findRuleset } from './ruleset.sql.ts'

/** Each can take a megabyte. */
const maxCached = 200

export type Rulesets = ReturnType<typeof openRulesets>

export function cacheRulesets() {
  return boundedMap<string, Promise<Ruleset>>(maxCached)
}

/** The rulesets of all projects. They are immutable, so the most recently used ones are cached. */
export function openRulesets(database: Queryable, known = cacheRulesets()) {
  function find(projectId: number, version: number): Ruleset | Promise<Ruleset> {
    if (version === 0) return defaultRuleset
    const key = `${projectId}/${version}`
    const held = known.get(key) ?? readRuleset(database, projectId, version)
    known.set(key, held)
    held.catch(() => known.delete(key))
    return held
  }

  return {
    /** The ruleset in force. */
    of: (caller: { project_id: number; ruleset: number }) => find(caller.project_id, caller.ruleset),
    /** The ruleset that scored a product. */
    ofRow: (row: ScoredRow) => find(row.project, row.quality_ruleset),
    async ofRows(rows: readonly ScoredRow[]): Promise<(row: ScoredRow) => Ruleset> {
      const rulesets = new Map<number, Ruleset>()
      for (const row of rows)
        if (!rulesets.has(row.quality_ruleset))
          rulesets.set(row.quality_ruleset, await find(row.project, row.quality_ruleset))
      return ({ quality_ruleset }) => rulesets.get(quality_ruleset) as Ruleset
    },
  }
}

type ScoredRow = Pick<ProductRow, 'project' | 'quality_ruleset'>

/** The ruleset in force, for code without a caller. */
export async function currentRuleset(database: Queryable, projectId: number): Promise<Ruleset> {
  const [project] = await database.query(sql<{ ruleset: number }>`
    select ruleset from projects where id = ${projectId}`)
  const version = project?.ruleset ?? 0
  return version === 0 ? defaultRuleset : readRuleset(database, projectId, version)
}

async function readRuleset(database: Queryable, projectId: number, version: number): Promise<Ruleset> {
  const stored = await findRuleset(database, projectId, version)
  return stored === undefined ? defaultRuleset : createRuleset(version, stored)
}
