import { setTimeout as sleep } from 'node:timers/promises'
import { lookUpCategories } from '../../categories/look-up-categories.ts'
import type { Database, Queryable, Transaction } from '../../database/database.ts'
import { sqlState } from '../../database/failures.ts'
import { mostBatchesOfProject } from '../../database/scheduling/connection-classes.ts'
import { Problem } from '../../http/problems.ts'
import type { Line } from '../../http/request/split-body.ts'
import { duplicateSku } from '../create-product.ts'
import type { Author } from '../write-products.ts'
import { heldProduct, type Judgement, judgeLines, type Pushed, type PushMode } from './apply-lines.ts'
import { describeChanges } from './describe-changes.ts'
import { type Portion, planPortions } from './plan-batches.ts'
import type { PushSummary, Verdict } from './product-push.schema.ts'
import { findPushedProducts, lockPushes } from './product-push.sql.ts'
import { type PushedLine, readAhead, readPortions, repeatedSkus } from './read-lines.ts'
import { rememberProducts } from './remember-products.ts'
import { writePushed } from './write-pushed.ts'

export type Push = {
  projectId: number
  author: Author
  mode: PushMode
  onError: 'continue' | 'abort'
  dryRun: boolean
}

/** Told in the order of the lines. What was told before begin() is to be forgotten: the push began anew. */
export type Report = { begin(): void; tell(verdicts: Verdict[]): void }

const statementTimeoutSeconds = 30
const attempts = 20
/** Of a push that is all or nothing: each may read all of its lines twice. */
const refusedAttempts = 5
/** Characters of products that a rehearsal keeps. */
const uniqueViolation = '23505'
const mostRemembered = 16 * 1024 * 1024

/** Writes the lines, in portions that are a transaction each, or in one when it is all or nothing. */
export async function pushProducts(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  if (push.dryRun) return void (await rehearse(database, push, lines, report, true))
  if (push.onError === 'abort') return pushAll(database, push, lines, report)
  return pushPortions(database, push, lines, report)
}

/** Side by side, but for portions that name the same product: those keep their order. */
async function pushPortions(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  const running: { skus: Set<string>; told: Promise<void> }[] = []
  let failed = false
  report.begin()
  const portions = planPortions(database, push.projectId, readPortions(lines, false), push.mode !== 'update')
  try {
    for await (const portion of readAhead(portions)) {
      const mustWait = () =>
        running.length === mostBatchesOfProject ||
        running.some((other) => !other.skus.isDisjointFrom(portion.skus))
      while (mustWait()) {
        await running[0]?.told
        running.shift()
      }
      if (failed) break
      const before = running.at(-1)?.told
      const told = pushPortion(database, push, portion).then(async (judged) => {
        await before
        report.tell(judged.map((one) => verdict(one, false)))
      })
      // Met when its turn comes.
      told.catch(() => {
        failed = true
      })
      running.push({ skus: portion.skus, told })
    }
    await running.at(-1)?.told
  } finally {
    await Promise.allSettled(running.map(({ told }) => told))
  }
}

async function pushPortion(database: Database, push: Push, portion: Portion): Promise<Judgement[]> {
  const { judged, ahead } = await again((alone) =>
    database.transaction(
      async (tx) => {
        await lockPushes(tx, push.projectId, alone)
        return writePortion(tx, push, portion)
      },
      { statementTimeoutSeconds, bulk: true, project: push.projectId },
    ),
  )
  await untilPast(ahead)
  return judged
}

class Refused extends Error {}

/** Everything in one transaction, which is given up when a line is rejected. The verdicts tell of every line all the same. */
async function pushAll(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
): Promise<void> {
  const write = async (tx: Transaction): Promise<number> => {
    let lastAhead = 0
    report.begin()
    await lockPushes(tx, push.projectId, true)
    const read = readAhead(readPortions(lines, true))
    // On the transaction's own connection: those that wait for it may have taken all others.
    for await (const portion of planPortions(tx, push.projectId, read, false)) {
      const { judged, ahead } = await writePortion(tx, push, portion)
      lastAhead = Math.max(lastAhead, ahead)
      if (judged.some(({ outcome }) => outcome === 'rejected')) throw new Refused()
      report.tell(judged.map((one) => verdict(one, false)))
    }
    return lastAhead
  }
  for (let left = refusedAttempts; left > 0; left -= 1) {
    try {
      const limits = { statementTimeoutSeconds, bulk: true, project: push.projectId }
      return await untilPast(await again(() => database.transaction(write, limits)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    const rejected = await rehearse(database, { ...push, dryRun: true }, lines, report, false)
    // Whatever stood in the way may be gone by now.
    if (rejected > 0) return
  }
  throw overtaken()
}

/** Others wrote the same products between each two of our looks at them. */
function overtaken(): Problem {
  return new Problem('too_busy', {
    detail:
      'Others change the products of this push all the time. Nothing of it was written; try again in a moment.',
  })
}

/**
 * Reads and judges, and writes nothing. A product that a later line names again is remembered as it would be by then; where
 * there is no room for it, the lines before that name it are judged once more.
 */
async function rehearse(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
  withChanges: boolean,
): Promise<number> {
  const repeated = await repeatedSkus(lines)
  const memory = rememberProducts(mostRemembered)
  const earlier = new Map<string, PushedLine[]>()
  const freshCategories: FreshCategories = new Map()
  let rejected = 0
  report.begin()
  const read = readPortions(lines, !withChanges)
  for await (const portion of readAhead(planPortions(database, push.projectId, read, false))) {
    const known = new Map<string, Pushed>()
    const replayed: PushedLine[] = []
    for (const sku of portion.skus) {
      const product = memory.find(sku)
      if (product === undefined) replayed.push(...(earlier.get(sku) ?? []))
      else known.set(sku, product)
    }
    const all = { ...portion, lines: [...replayed, ...portion.lines] }
    const { judged, products } = await judge(database, push, all, known, freshCategories)
    for (const line of portion.lines)
      if (line.sku !== null && repeated.has(line.sku)) earlier.getOrInsert(line.sku, []).push(line)
    for (const [sku, product] of products) if (repeated.has(sku)) memory.keep(sku, product)
    const verdicts = judged.slice(replayed.length).map((one) => verdict(one, withChanges))
    rejected += verdicts.filter(({ outcome }) => outcome === 'rejected').length
    report.tell(verdicts)
  }
  return rejected
}

type Written = { judged: Judgement[]; ahead: number }

async function writePortion(tx: Transaction, push: Push, portion: Portion): Promise<Written> {
  const { judged, products } = await judge(tx, push, portion)
  return {
    judged,
    ahead: await writePushed(tx, push.projectId, push.author, products.values(), portion.ids),
  }
}

/** Changes of one product are a millisecond apart, which may be more time than they took: nobody is told of the future. */
async function untilPast(ahead: number): Promise<void> {
  if (ahead > 0) await sleep(ahead)
}

/** Those that the portions before would have made. */
type FreshCategories = Map<string, { id: number; name: string }>

async function judge(
  database: Queryable,
  { projectId, mode, dryRun }: Push,
  { lines, skus }: Portion,
  known: ReadonlyMap<string, Pushed> = new Map(),
  freshCategories: FreshCategories = new Map(),
): Promise<{ judged: Judgement[]; products: Map<string, Pushed> }> {
  const unknown = [...skus].filter((sku) => !known.has(sku))
  const rows = unknown.length === 0 ? [] : await findPushedProducts(database, projectId, unknown, !dryRun)
  const products = new Map([...known, ...rows.map((row) => [row.sku, heldProduct(row)] as const)])
  const lists = lines.flatMap((line) =>
    'product' in line && line.product.categories ? [line.product.categories] : [],
  )
  const categoryLookup = await lookUpCategories(database, projectId, lists, !dryRun, freshCategories)
  return { judged: judgeLines(lines, mode, products, categoryLookup), products }
}

/**
 * Somebody else made a product with one of our SKUs: by now it is there to be changed. Alone the second time, or pushes over
 * the same new SKUs could make one of them lose again and again.
 */
async function again<Result>(work: (alone: boolean) => Promise<Result>): Promise<Result> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await work(left < attempts)
    } catch (error) {
      if (sqlState(error) !== uniqueViolation) throw error
      if (left === 0) throw overtaken()
    }
  }
}

function verdict({ line, sku, product, outcome, errors, changes }: Judgement, withChanges: boolean): Verdict {
  const id = product?.id ?? null
  // A line that is rejected without a fault of its own is a creation of what exists.
  const faults =
    outcome === 'rejected' && errors.length === 0
      ? [{ pointer: '/sku', code: 'duplicate_sku', message: duplicateSku(sku ?? '', product?.id).message }]
      : errors
  return {
    line,
    sku,
    id,
    outcome,
    errors: faults,
    ...(withChanges && { changes: describeChanges(changes) }),
  }
}

export function emptySummary(): PushSummary {
  return { lines: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
}
