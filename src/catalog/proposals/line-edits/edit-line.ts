import { turnOf } from '../../../model/structure/write-turn.ts'
import type { Transaction, Writable } from '../../../platform/database/database.ts'
import { type BodyError, notFound, Problem } from '../../../platform/http/problems.ts'
import type { Push } from '../../batches/apply-batch.ts'
import { tryLines } from '../../batches/dry-run.ts'
import { errorsOf } from '../../batches/line-errors.ts'
import type { FreshProducts } from '../../batches/look-up-references.ts'
import { noFreshCategories } from '../../categories/missing-categories.ts'
import { referencesIn } from '../../structure/look-up-products.ts'
import { patchFromChanges, pushedLine } from '../merge-line.ts'
import { findCurrentProducts, withCreatedProducts } from '../open-line.sql.ts'
import { lockErasure, requireProposal } from '../proposal.sql.ts'
import type { Patch } from '../proposal-line.sql.ts'
import {
  addCounts,
  lockProposal,
  reportProposal,
  requireAppliable,
  requireOwn,
  settleProposal,
} from '../proposal-state.ts'
import { freshPaths } from '../proposed-changes.ts'
import { proposeLines } from '../proposed-line.ts'
import { editedLine, mergePatches } from './edited-line.ts'
import {
  type EditableLine,
  type EditedContent,
  listCreations,
  listEarlierLines,
  lockLine,
  updateEditedLine,
} from './line-edit.sql.ts'

type Editing = {
  push: Push
  id: number
  line: number
  patch: Patch
  /** Only if no one has edited the line after this revision of the proposal. */
  revision: number | undefined
  /** Set if the caller may edit only the proposals of this token. */
  onlyTokenId: number | null
}

/** Changes what an open line proposes, and checks it like a push line. A line with errors is not stored. */
export function editLine(writable: Writable, { push, id, line, ...editing }: Editing): Promise<void> {
  const { projectId, author } = push
  return writable.transaction(
    async (tx) => {
      const proposal = await requireProposal(tx, projectId, id)
      requireOwn(proposal, editing.onlyTokenId, 'edit')
      if (proposal.state === 'preparing') throw new Problem('proposal_preparing')
      await lockErasure(tx, projectId, false)
      const held = await lockLine(tx, projectId, id, line)
      if (held === undefined) throw notFound('proposal line', line)
      if (held.state !== 'open' && held.state !== 'conflict')
        throw new Problem('line_closed', { detail: `Line ${line} of proposal ${id} is ${held.state}.` })
      requireAppliable(proposal)
      requireUnedited(held, editing.revision)
      const content = await checkEdit(tx, push, id, held, editing.patch)
      // Locked after its line, in the same order as an apply.
      const before = await lockProposal(tx, projectId, id)
      await updateEditedLine(tx, projectId, id, line, content)
      await addCounts(tx, projectId, id, changedCounts(held, content))
      const report = before.state === 'applying' ? reportProposal : settleProposal
      await report(tx, projectId, author, { id, before })
    },
    { project: projectId },
  )
}

function requireUnedited({ line, edited_in }: EditableLine, revision: number | undefined): void {
  if (revision === undefined || (edited_in ?? 0) <= revision) return
  throw new Problem('precondition_failed', {
    detail: `Someone edited line ${line} in revision ${edited_in}. Read it again, then repeat the edit.`,
  })
}

/** Applies the line with its new patch, after the earlier lines for the same product. Writes nothing. */
async function checkEdit(
  tx: Transaction,
  push: Push,
  proposalId: number,
  line: EditableLine,
  edit: Patch,
): Promise<EditedContent> {
  const { projectId, ruleset } = push
  const isCreation = line.outcome === 'created'
  if (isCreation && edit.sku !== undefined && edit.sku !== line.sku) throw editErrors([fixedSku])
  const patch = mergePatches(line.patch ?? patchFromChanges(line.outcome, line.changes), edit)
  const categories = edit.categories === undefined ? line.categories : null
  const earlier = isCreation ? [] : await listEarlierLines(tx, projectId, proposalId, line)
  const lines = await withCreatedProducts(tx, projectId, proposalId, [
    ...earlier,
    { ...line, patch, categories },
  ])
  const products = await findCurrentProducts(tx, projectId, lines, false)
  const read = lines.map((one) => pushedLine(one, products))
  const freshCategories = noFreshCategories()
  const fresh = await findFresh(tx, projectId, proposalId, patch)
  const { apply, proposed } = proposeLines(ruleset)
  const mode = isCreation ? 'create' : 'upsert'
  const results = await tryLines(tx, { ...push, mode }, read, apply, freshCategories, fresh)
  const applied = results.at(-1) as (typeof results)[number]
  if (applied.outcome === 'rejected') throw editErrors(errorsOf(applied))
  return editedLine(line, edit, applied, proposed(applied, freshPaths(freshCategories), turnOf(patch)))
}

/** Referenced products that other lines of the proposal would create. They have negative IDs. */
async function findFresh(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  patch: Patch,
): Promise<FreshProducts> {
  const skus = referencesIn(patch).flatMap(({ sku }) => sku ?? [])
  const created = skus.length === 0 ? [] : await listCreations(tx, projectId, proposalId, skus)
  const bySku = created.map(({ sku, patch: own }, index) => {
    const { product_type = 'simple', variant_axes = [] } = own ?? {}
    return [sku, { id: -1 - index, sku, product_type, variant_axes }] as const
  })
  return { bySku: new Map(bySku), combinations: new Map() }
}

const fixedSku: BodyError = {
  pointer: '/sku',
  code: 'read_only',
  message: 'cannot change in a line that creates a product; discard the line and propose the product again',
}

function editErrors(errors: readonly BodyError[]): Problem {
  const inPatch = errors.map(({ pointer, ...error }) => ({ pointer: `/patch${pointer}`, ...error }))
  return new Problem('invalid_body', { errors: inPatch })
}

function changedCounts(before: EditableLine, after: EditedContent): Parameters<typeof addCounts>[3] {
  const counts: Record<string, number> = {}
  const count = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by
  }
  count(before.outcome, -1)
  count(after.outcome, 1)
  count(before.state, -1)
  count(after.state, 1)
  return counts
}
