import { proposalLimits } from '../../../model/limits/proposals.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { OpenLine } from '../open-line.sql.ts'
import type { Changes, Conflicts, ProposedLine } from '../proposal-line.sql.ts'

/** A line that is read to be edited. */
export type EditableLine = Omit<OpenLine, 'changes' | 'is_edited'> & {
  turn: number
  changes: Changes
  conflicts: Conflicts | null
  original: Changes | null
  edited_in: number | null
}

const columns = sql`line, product_id, sku, turn, outcome, state, patch, base_version, categories, provenance,
  coalesce(changes, '{}') as changes, conflicts, original, edited_in`

/** Locks the line until the transaction ends. */
export async function lockLine(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  line: number,
): Promise<EditableLine | undefined> {
  const [row] = await tx.query(sql<EditableLine>`
    select ${columns} from proposal_lines
    where project_id = ${projectId} and proposal_id = ${proposalId} and line = ${line} and outcome is not null
    for no key update`)
  return row
}

/**
 * The last open lines before a line that change the same product, and the one that creates it. Not all, because thousands would
 * keep other requests waiting. If an older one matters, the apply finds a conflict.
 */
export function listEarlierLines(
  tx: Queryable,
  projectId: number,
  proposalId: number,
  { line, product_id, sku }: Pick<EditableLine, 'line' | 'product_id' | 'sku'>,
): Promise<EditableLine[]> {
  return tx.query(
    planEachTime(sql<EditableLine>`
      select * from (
        select ${columns} from proposal_lines
        where project_id = ${projectId} and proposal_id = ${proposalId} and line < ${line} and state = 'open'
          and outcome is not null and (product_id = ${product_id}::bigint or product_id is null and sku = ${sku})
        order by outcome = 'created' desc, line desc limit ${proposalLimits.earlierLines}
      ) as earlier order by line`),
  )
}

/** The open lines that create products with these SKUs. */
export function listCreations(
  tx: Queryable,
  projectId: number,
  proposalId: number,
  skus: readonly string[],
): Promise<{ sku: string; patch: ProposedLine['patch'] }[]> {
  return tx.query(
    planEachTime(sql<{ sku: string; patch: ProposedLine['patch'] }>`
      select sku, patch from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = 'open' and outcome = 'created'
        and sku = any(${skus}::text[])`),
  )
}

/** The new content of a line. */
export type EditedContent = Pick<
  ProposedLine,
  | 'turn'
  | 'outcome'
  | 'state'
  | 'changes'
  | 'patch'
  | 'base_version'
  | 'categories'
  | 'provenance'
  | 'score_before'
  | 'score_after'
  | 'errors'
  | 'warnings'
> & { conflicts: Conflicts | null; original: Changes | null }

/** Increases the revision of the proposal, which stays locked, and stores the locked line under it. */
export async function updateEditedLine(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  line: number,
  { turn, outcome, state, base_version, score_before, score_after, ...rest }: EditedContent,
): Promise<void> {
  const json = (name: keyof typeof rest) =>
    sql`${rest[name] === null ? null : JSON.stringify(rest[name])}::jsonb`
  await tx.query(sql`
    with raised as (
      update proposals set revision = revision + 1,
        -- A proposal with applied lines stays open to changes; the edit must not make it expire.
        expires_at = case when expires_at > clock_timestamp() then expires_at
          else clock_timestamp() + ${proposalLimits.openDays} * interval '1 day' end
      where project_id = ${projectId} and id = ${proposalId} returning revision
    )
    update proposal_lines set turn = ${turn}, outcome = ${outcome}, state = ${state}, base_version = ${base_version},
      score_before = ${score_before}, score_after = ${score_after}, changes = ${json('changes')}, patch = ${json('patch')},
      categories = ${json('categories')}, provenance = ${json('provenance')}, errors = ${json('errors')},
      warnings = ${json('warnings')}, conflicts = ${json('conflicts')}, original = ${json('original')},
      edited_in = raised.revision
    from raised where project_id = ${projectId} and proposal_id = ${proposalId} and line = ${line}`)
}
