import { showMedia } from '../../../model/product/show-media.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { PageRequest } from '../../../platform/database/statements/select-page.ts'
import { duplicateLimits } from '../../limits.ts'
import type { View } from '../show-product.ts'
import { groupCloseNames } from './group-close-names.ts'
import { type DuplicateGroup, type DuplicateReason, duplicateReasons } from './product-duplicates.schema.ts'
import {
  type DuplicateRow,
  findDuplicateProducts,
  findRecentNames,
  findRepeatedNames,
  findSameGtins,
  findSameNames,
  hasFurtherProducts,
  type SameValue,
} from './product-duplicates.sql.ts'

type Found = { groups: SameValue[]; isComplete: boolean }
type ReasonedGroup = SameValue & { reason: DuplicateReason }

const finders: Record<DuplicateReason, (database: Database, projectId: number) => Promise<Found>> = {
  async same_gtin(database, projectId) {
    const groups = await inBulk(database, projectId, (tx) => findSameGtins(tx, projectId))
    return { groups, isComplete: !(await hasFurtherProducts(database, projectId)) }
  },
  async same_name(database, projectId) {
    const names = await inBulk(database, projectId, (tx) => findRepeatedNames(tx, projectId))
    const groups = await inBulk(database, projectId, (tx) => findSameNames(tx, projectId, names))
    return { groups, isComplete: names.length <= duplicateLimits.repeatedNames }
  },
  async close_name(database, projectId) {
    const { groups, isComplete } = await groupCloseNames(
      await inBulk(database, projectId, (tx) => findRecentNames(tx, projectId)),
    )
    const isCut = await hasFurtherProducts(database, projectId)
    return { groups, isComplete: isComplete && !isCut }
  },
}

/** Statements that can read an entire project run on the connections for bulk work. */
function inBulk<Row>(database: Database, project: number, read: (tx: Queryable) => Promise<Row[]>) {
  const statementTimeoutSeconds = duplicateLimits.statementSeconds
  return database.transaction(read, { statementTimeoutSeconds, bulk: true, project })
}

/** Groups of likely duplicates, those with the strongest reason first. */
export async function findDuplicates(
  database: Database,
  projectId: number,
  reason: DuplicateReason | undefined,
): Promise<{ groups: ReasonedGroup[]; isComplete: boolean }> {
  const groups: ReasonedGroup[] = []
  let isComplete = true
  for (const one of reason === undefined ? duplicateReasons : [reason]) {
    const found = await finders[one](database, projectId)
    const listed = found.groups.slice(0, duplicateLimits.groups)
    isComplete &&= found.isComplete && listed.length === found.groups.length
    const known = groups.map(({ ids }) => new Set(ids))
    for (const group of listed) if (!isKnown(group, known)) groups.push({ ...group, reason: one })
  }
  return { groups, isComplete }
}

/** Whether a stronger reason has already brought all products of the group together. */
function isKnown({ ids, count }: SameValue, known: readonly Set<number>[]): boolean {
  return count === ids.length && known.some((group) => ids.every((id) => group.has(id)))
}

/** The groups of one page, with their products. */
export async function showGroups(
  database: Queryable,
  projectId: number,
  groups: readonly ReasonedGroup[],
  { number, size }: PageRequest,
  { currency, baseUrl }: View,
): Promise<DuplicateGroup[]> {
  const last = Math.max(1, Math.ceil(groups.length / size))
  const first = ((number === 'last' ? last : number) - 1) * size
  const shown = groups.slice(first, first + size)
  const ids = [...new Set(shown.flatMap((group) => group.ids))]
  const rows = await findDuplicateProducts(database, projectId, ids)
  const products = new Map(rows.map((row) => [row.id, row]))
  const show = ({ media, ...row }: DuplicateRow) => ({
    ...row,
    currency,
    media: showMedia(media.filter(({ kind }) => kind === 'image').slice(0, 1), baseUrl),
  })
  return shown.map(({ reason, value, count, ids }) => ({
    reason,
    value,
    count,
    products: ids.flatMap((id) => products.get(id) ?? []).map(show),
  }))
}
