import { proposalLimits } from '../../model/limits/proposals.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import type { LineState, ProposalLine } from './proposal.schema.ts'
import type { Changes, Conflicts, ProposedLine } from './proposal-line.sql.ts'

/** A locked line that is about to be applied. */
export type OpenLine = Pick<
  ProposedLine,
  'line' | 'product_id' | 'sku' | 'outcome' | 'state' | 'patch' | 'base_version' | 'categories' | 'provenance'
> & {
  /** Read only if the product may have changed since, because changes are twice as large as the patch. */
  changes: Changes | null
  /** Whether its values differ from the original. */
  is_edited: boolean
}

/** The lines to apply: all open lines, or the selected lines that are not written. */
export type Wanted = { numbers: number[] | undefined; states: LineState[] }

/** The turns of the lines. */
export async function listTurns(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { states }: Wanted,
): Promise<number[]> {
  const rows = await database.query(
    planEachTime(sql<{ turn: number }>`
      select distinct turn from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = any(${states}::text[]) order by turn`),
  )
  return rows.map(({ turn }) => turn)
}

/** The next lines of a turn, at least one and up to a total size, and whether they are the last. They are read when they are locked. */
export async function listLinesAfter(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { numbers, states }: Wanted,
  { turn, after }: { turn: number; after: number },
): Promise<{ lines: { line: number; sku: string | null; bytes: number }[]; areLast: boolean }> {
  const named = numbers === undefined ? sql`true` : sql`line = any(${numbers}::int[])`
  const rows = await database.query(
    planEachTime(sql<{ line: number; sku: string | null; bytes: number; ahead: number }>`
      with sized as materialized (
        select line, sku, coalesce(${jsonbBytes(sql`changes`)}, 0) as bytes from proposal_lines
        where project_id = ${projectId} and proposal_id = ${proposalId} and state = any(${states}::text[]) and turn = ${turn}
          and line > ${after} and outcome is not null and ${named}
        order by line limit ${proposalLimits.appliedLines}
      ), summed as (
        select *, sum(bytes) over (order by line) as bytes_up_to, count(*) over () as ahead from sized
      )
      select line, sku, bytes, ahead from summed
      where bytes_up_to <= ${proposalLimits.appliedBytes} or bytes_up_to = bytes order by line`),
  )
  const ahead = rows[0]?.ahead ?? 0
  return { lines: rows, areLast: ahead === rows.length && ahead < proposalLimits.appliedLines }
}

/**
 * Locks the lines that are still in one of the states until the transaction ends, except for lines that were edited after the
 * revision.
 */
export function lockLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
  states: LineState[],
  revision?: number,
): Promise<OpenLine[]> {
  const isReviewed = revision === undefined ? sql`true` : sql`coalesce(edited_in, 0) <= ${revision}`
  return tx.query(
    planEachTime(sql<OpenLine>`
      select line, product_id, sku, outcome, state, patch, base_version, categories, provenance,
             case when patch is null then changes end as changes, original is not null as is_edited
      from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[])
        and state = any(${states}::text[]) and ${isReviewed}
      order by line for no key update`),
  )
}

/** The proposed changes of lines. */
export async function findChanges(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
): Promise<Map<number, Changes>> {
  const rows = await tx.query(
    planEachTime(sql<{ line: number; changes: Changes }>`
      select line, changes from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[]) and changes is not null`),
  )
  return new Map(rows.map(({ line, changes }) => [line, changes]))
}

type CurrentProduct = { id: number; sku: string; version: number; category_ids: number[] }

/** The current products of lines, and the products that have the SKUs that lines assign. */
export type CurrentProducts = { byId: Map<number, CurrentProduct>; takenSkus: Map<string, number> }

/** Finds products by ID, because their SKU may have changed. With `forUpdate`, they are locked until the transaction ends. */
export async function findCurrentProducts(
  tx: Transaction,
  projectId: number,
  lines: readonly (SkuChange & Pick<OpenLine, 'product_id'>)[],
  forUpdate: boolean,
): Promise<CurrentProducts> {
  const ids = lines.flatMap(({ product_id }) => product_id ?? [])
  const rows =
    ids.length === 0
      ? []
      : await tx.query(
          planEachTime(sql<CurrentProduct>`
            select id, sku, version, to_json(category_ids) as category_ids from products
            where project_id = ${projectId} and id = any(${ids}::bigint[])
            order by id ${forUpdate ? sql`for no key update` : sql``}`),
        )
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    takenSkus: await findIdsBySku(tx, projectId, lines.flatMap(newSku)),
  }
}

type SkuChange = Pick<OpenLine, 'outcome' | 'patch' | 'changes'>

/** The SKU that a line assigns to an existing product, if any. */
export function newSku({ outcome, patch, changes }: SkuChange): string[] {
  const sku = patch === null ? changes?.['sku']?.after : patch.sku
  return outcome !== 'created' && typeof sku === 'string' ? [sku] : []
}

/** The IDs of products, by SKU. */
export async function findIdsBySku(
  tx: Queryable,
  projectId: number,
  skus: string[],
): Promise<Map<string, number>> {
  if (skus.length === 0) return new Map()
  const rows = await tx.query(
    planEachTime(sql<{ id: number; sku: string }>`
      select id, sku from products where project_id = ${projectId} and sku = any(${skus}::text[])`),
  )
  return new Map(rows.map(({ id, sku }) => [sku, id]))
}

type Named = Pick<OpenLine, 'outcome' | 'product_id' | 'sku'>

/** Whether a line changes a product that an earlier line of the proposal creates. */
export function isFollowing({ outcome, product_id }: Omit<Named, 'sku'>): boolean {
  return product_id === null && outcome !== 'created'
}

/** Gives lines that change a product of an earlier line its ID, once that line has created it. */
export async function withCreatedProducts<Line extends Named>(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: Line[],
): Promise<Line[]> {
  const skus = lines.filter(isFollowing).flatMap(({ sku }) => sku ?? [])
  if (skus.length === 0) return lines
  const created = await tx.query(
    planEachTime(sql<{ sku: string; product_id: number }>`
      select sku, product_id from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = 'applied' and outcome = 'created'
        and sku = any(${skus}::text[])`),
  )
  const ids = new Map(created.map(({ sku, product_id }) => [sku, product_id]))
  return lines.map((line) =>
    isFollowing(line) ? { ...line, product_id: ids.get(line.sku ?? '') ?? null } : line,
  )
}

/** The stored result of a line. */
export type AppliedState = {
  line: number
  state: LineState
  product_id: number | null
  version: number | null
  /** Stock changes of an applied line, which the history does not record. */
  stock: Changes | null
  errors: ProposalLine['errors'] | null
  conflicts: Conflicts | null
}

export async function updateLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly AppliedState[],
): Promise<void> {
  await tx.query(
    planEachTime(sql`
      with input as materialized (
        select ${projectId}::bigint as project_id, ${proposalId}::bigint as proposal_id, (line ->> 'line')::int as line,
               line ->> 'state' as state, (line ->> 'product_id')::bigint as product_id, (line ->> 'version')::int as version,
               nullif(line -> 'stock', 'null') as stock, nullif(line -> 'errors', 'null') as errors,
               nullif(line -> 'conflicts', 'null') as conflicts
        from ${jsonRows(lines)}
      )
      update proposal_lines as own set
        state = input.state,
        product_id = coalesce(own.product_id, input.product_id),
        version = input.version,
        changes = case when input.state = 'applied' then input.stock else own.changes end,
        patch = case when input.state = 'applied' then null else own.patch end,
        errors = input.errors,
        conflicts = input.conflicts
      from input
      where (own.project_id, own.proposal_id, own.line) = (input.project_id, input.proposal_id, input.line)`),
  )
}
