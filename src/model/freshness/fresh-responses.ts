import { boundedMap } from '../../platform/bounded-map.ts'
import type { Follows, StoredResponse } from '../../platform/response-store/project-entries.ts'
import { type Offer, openResponseStore } from '../../platform/response-store/response-store.ts'
import { type EventType, objectKindOf } from '../events/event-types.ts'
import { fenceLimits } from '../limits/events.ts'
import { compareFences, identityOf, type KnownFence } from './compare-fences.ts'
import type { Fence, FenceChange } from './fence.sql.ts'

/** What a request knows about the stored responses of its project. `unnumbered`: null if there are too many changes. */
export type View = { state: ProjectState; unnumbered: readonly FenceChange[] | null }

/** The newest fence of a project, and the last changes that led to it. A lost fence begins a new state. */
type ProjectState = KnownFence & {
  project: number
  recent: (FenceChange & { number: number })[]
  isLost: boolean
}

/** The fence when a read began. The response of the read is stored only if nothing since then concerns it. */
export type Mark = { state: ProjectState; number: number }

export type MissReason = 'absent' | 'changed' | 'unknown'

/** Errors that tests insert, to verify that they would be found. */
export type FreshnessFaults = {
  /** Uses every stored response. */
  ignoreFence?: boolean
  /** Ignores the changes of a type. */
  ignoreType?: EventType
  /** Drops only the changed products, but none that depend on them. */
  keepDependents?: boolean
}

type Options = { maxBytes: number; onUnnumbered: () => void; faults?: FreshnessFaults }

type Settings = { project_id: number; ruleset: number; currency: string }

export type FreshResponses = ReturnType<typeof openFreshResponses>

const maxProjects = 10_000
/** A recent change of more objects counts as one of all products. */
const maxRecentIds = 16

/**
 * Responses in memory that are never stale. Each request reads the fence of its project with its credentials. A response is used only
 * if no change since it was read concerns it. docs/decisions/0035-responses-from-memory-that-are-never-stale.md explains why this is safe.
 */
export function openFreshResponses({ maxBytes, onUnnumbered, faults = {} }: Options) {
  const store = openResponseStore(maxBytes)
  const states = boundedMap<number, ProjectState>(maxProjects, (state) => {
    state.isLost = true
    store.dropAll(state.project)
  })

  function begin(project: number, { number, key }: Fence, identity: string): ProjectState {
    const before = states.get(project)
    if (before !== undefined) before.isLost = true
    store.dropAll(project)
    const state = { project, identity, number: number ?? 0, key, recent: [], isLost: false }
    states.set(project, state)
    return state
  }

  function apply(state: ProjectState, change: FenceChange & { number: number }): void {
    state.recent.push((change.ids?.length ?? 0) > maxRecentIds ? { ...change, ids: null } : change)
    if (state.recent.length > fenceLimits.feedRows) state.recent.shift()
    if (change.type === faults.ignoreType) return
    if (objectKindOf(change.type) === 'product') store.dropFollowing(state.project, change.ids)
    else store.dropFollowing(state.project, null)
  }

  /** Undefined if the fence is older than the known one. */
  function advance(settings: Settings, fence: Fence): ProjectState | undefined {
    const { project_id: project } = settings
    const identity = identityOf(settings, fence)
    const state = states.get(project)
    if (state === undefined) return begin(project, fence, identity)
    if (faults.ignoreFence === true) return state
    const found = compareFences(state, fence, identity)
    if (found === 'older') return undefined
    if (found === 'lost') return begin(project, fence, identity)
    for (const change of found.changes) apply(state, change)
    state.number = fence.number ?? 0
    state.key = fence.key
    return state
  }

  function unnumberedOf(project: number, { unnumbered }: Fence): readonly FenceChange[] | null {
    if (unnumbered === null || faults.ignoreFence === true) return none
    if (unnumbered.length > fenceLimits.unnumberedRows) return null
    return unnumbered.filter(({ project_id, type }) => project_id === project && type !== faults.ignoreType)
  }

  return {
    /** The newest event that the process knows; 0 if it knows none. */
    knownNumber: (project: number | undefined): number =>
      (project === undefined ? undefined : states.get(project)?.number) ?? 0,
    /** Drops what has changed. Call it for each fence when it arrives. */
    observe(settings: Settings, fence: Fence): View | undefined {
      if (fence.unnumbered !== null) onUnnumbered()
      const state = advance(settings, fence)
      return state && { state, unnumbered: unnumberedOf(settings.project_id, fence) }
    },
    peek: store.peek,
    /** Call it before a read begins. */
    mark(project: number): Mark | undefined {
      const state = states.get(project)
      return state && { state, number: state.number }
    },
    /** For a request that began to read at the earlier mark, or reads now. Undefined if its response cannot be stored. */
    markFor(view: View | undefined, earlier: Mark | undefined): Mark | undefined {
      if (view === undefined || view.state.isLost) return undefined
      if (earlier === undefined) return { state: view.state, number: view.state.number }
      return earlier.state === view.state ? earlier : undefined
    },
    find(view: View | undefined, key: string): StoredResponse | MissReason {
      if (view === undefined || view.state.isLost) return 'unknown'
      const found = store.find(view.state.project, key)
      if (found === undefined) return 'absent'
      const { follows, response } = found
      return concerns(view.unnumbered, faults.keepDependents === true ? ownOnly(follows) : follows)
        ? 'changed'
        : response
    },
    /** Returns whether the response is stored in full memory, because it was requested or used before. */
    offer({ state, number }: Mark, offer: Offer): boolean {
      if (state.isLost) return false
      const since = state.recent.filter((change) => change.number > number)
      if (since.length < state.number - number || concerns(since, offer.follows)) return false
      const follows = faults.keepDependents === true ? ownOnly(offer.follows) : offer.follows
      return store.offer(state.project, { ...offer, follows })
    },
    grow: ({ state }: View, key: string, response: StoredResponse, added: number): void =>
      store.grow(state.project, key, response, added),
    bytes: store.bytes,
    evictions: store.evictions,
  }
}

const none: readonly FenceChange[] = []

/** Whether one of the changes may change a response. A list shows all products. */
function concerns(changes: readonly FenceChange[] | null, follows: Follows): boolean {
  if (changes === null) return true
  return changes.some(({ type, ids }) => {
    if (follows === 'everything' || ids === null || objectKindOf(type) !== 'product') return true
    return follows.anyProduct || ids.some((id) => follows.objects.includes(id))
  })
}

function ownOnly(follows: Follows): Follows {
  return follows === 'everything' ? follows : { objects: follows.objects.slice(0, 1), anyProduct: false }
}
