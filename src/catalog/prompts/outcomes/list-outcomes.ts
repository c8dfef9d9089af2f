import { promptLimits } from '../../../model/limits/prompts.ts'
import { compareVersions, parseVersion, type VersionNumber } from '../../../model/prompts/version-number.ts'
import type { Database, SnapshotReader } from '../../../platform/database/database.ts'
import { mapInTurns } from '../../../platform/scheduling/map-in-turns.ts'
import { listModelOutcomes, type ModelSums } from '../model-outcomes.sql.ts'
import type { ModelOutcome, Outcome } from './prompt-outcomes.schema.ts'
import { type PromptWrite, promptWrites } from './prompt-outcomes.sql.ts'

const idsOfWord = 32
const idsOfBlock = 65_536

/** The outcomes of the writes of each prompt version. */
export async function listOutcomes(
  database: Database,
  projectId: number,
  promptId: number,
  signal?: AbortSignal,
): Promise<Outcome[]> {
  const read = (reader: SnapshotReader) =>
    reader.batches(promptWrites(projectId, promptId), promptLimits.outcomeWrites)
  const tallies = new Map<string, Tally>()
  for await (const writes of database.snapshot(projectId, read, signal))
    await mapInTurns(writes, (write) =>
      count(tallies.getOrInsertComputed(write.version_number, noTally), write),
    )
  const sums = await listModelOutcomes(database, projectId, promptId)
  const models = Map.groupBy(sums, ({ version_number }) => version_number)
  const versions = [...new Set([...tallies.keys(), ...models.keys()])].sort((one, other) =>
    compareVersions(versionNumberOf(one), versionNumberOf(other)),
  )
  return versions.map((version_number) => ({
    version_number,
    ...outcomeOf(tallies.get(version_number) ?? noTally()),
    models: (models.get(version_number) ?? []).map(modelOutcome),
  }))
}

const millionths = 1_000_000

function modelOutcome({
  version_number: _version,
  accepted_fields,
  cost,
  ...counts
}: ModelSums): ModelOutcome {
  const perField = accepted_fields === 0 ? null : Math.round(cost / accepted_fields) / millionths
  return { ...counts, cost: cost / millionths, cost_per_accepted_field: perField }
}

function versionNumberOf(version: string): VersionNumber {
  return parseVersion(version) as VersionNumber
}

type Tally = {
  products: IdSet
  writes: number
  fields: number
  kept: number
  /** The number of writes per score change in points. */
  scoreChanges: Map<number, number>
  firstAt: string
  lastAt: string
}

function noTally(): Tally {
  const none = { writes: 0, fields: 0, kept: 0, firstAt: '', lastAt: '' }
  return { ...none, products: idSet(), scoreChanges: new Map() }
}

function count(tally: Tally, { product_id, changed_at, score_change, fields, kept }: PromptWrite): void {
  tally.products.add(product_id)
  tally.writes += 1
  tally.fields += fields
  tally.kept += kept
  if (score_change !== null)
    tally.scoreChanges.set(score_change, (tally.scoreChanges.get(score_change) ?? 0) + 1)
  if (tally.firstAt === '' || changed_at < tally.firstAt) tally.firstAt = changed_at
  if (changed_at > tally.lastAt) tally.lastAt = changed_at
}

function outcomeOf({ products, writes, fields, kept, scoreChanges, firstAt, lastAt }: Tally) {
  const score_change = { mean: meanOf(scoreChanges), median: medianOf(scoreChanges) }
  const kept_rate = fields === 0 ? null : rounded(kept / fields, 10_000)
  const times = { first_at: firstAt || null, last_at: lastAt || null }
  return { products: products.size(), writes, score_change, kept_rate, ...times }
}

function sizeOf(changes: ReadonlyMap<number, number>): number {
  return changes.values().reduce((sum, times) => sum + times, 0)
}

function meanOf(changes: ReadonlyMap<number, number>): number | null {
  const size = sizeOf(changes)
  const sum = changes.entries().reduce((total, [points, times]) => total + points * times, 0)
  return size === 0 ? null : rounded(sum / size, 100)
}

function medianOf(changes: ReadonlyMap<number, number>): number | null {
  const size = sizeOf(changes)
  if (size === 0) return null
  const sorted = [...changes].sort(([one], [other]) => one - other)
  const at = (place: number) => {
    let passed = 0
    const found = sorted.find(([, times]) => {
      passed += times
      return passed > place
    })
    return found?.[0] as number
  }
  return (at(Math.floor((size - 1) / 2)) + at(Math.floor(size / 2))) / 2
}

/** Rounds half away from zero, as the database does. */
function rounded(value: number, parts: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * parts)) / parts
}

type IdSet = { add(id: number): void; size(): number }

/** One bit per ID: a Set would take 40 times the memory for a million products. */
function idSet(): IdSet {
  const blocks = new Map<number, Uint32Array>()
  let size = 0
  return {
    add(id) {
      const block = blocks.getOrInsertComputed(
        Math.floor(id / idsOfBlock),
        () => new Uint32Array(idsOfBlock / idsOfWord),
      )
      const place = id % idsOfBlock
      const word = Math.floor(place / idsOfWord)
      const bit = 2 ** (place % idsOfWord)
      const held = block[word] as number
      if (Math.floor(held / bit) % 2 === 1) return
      block[word] = held + bit
      size += 1
    },
    size: () => size,
  }
}
