import {
  type Follows,
  type Found,
  type ProjectEntries,
  projectEntries,
  type StoredResponse,
  sizeOfEntry,
} from './project-entries.ts'
import { enqueue, leaveQueue, type Queue } from './queue.ts'

/** A response that is created only if it is stored. */
export type Offer = { key: string; bytes: number; follows: Follows; create: () => StoredResponse }

/**
 * Responses in memory, by project and key. Projects share the memory: one that takes more than its share evicts its own entries. While
 * the memory is full, such a project stores a response only when it is requested a second time, or again after a change.
 */
export function openResponseStore(maxBytes: number) {
  const projects = new Map<number, ProjectEntries>()
  /** The least recently used project comes first. */
  const byUse: Queue<ProjectEntries> = { first: undefined, last: undefined }
  let bytes = 0
  let evictions = 0
  /** A project that exceeded its share. */
  let exceeding: ProjectEntries | undefined

  const count = (change: number) => {
    bytes += change
  }

  function share(): number {
    return maxBytes / Math.max(1, projects.size)
  }

  function use(own: ProjectEntries): void {
    if (own === byUse.last) return
    leaveQueue(byUse, own)
    enqueue(byUse, own)
  }

  function open(project: number): ProjectEntries {
    const own = projectEntries(project, count)
    enqueue(byUse, own)
    return own
  }

  function findExceeding(own: ProjectEntries): ProjectEntries {
    for (let project = byUse.first; project !== undefined; project = project.after as typeof project)
      if (project !== own && project.bytes() > share()) return project
    return own
  }

  /**
   * The project itself if it exceeds its share and has several responses. Otherwise another project that exceeds its share, or the project
   * itself if there is none.
   */
  function chooseVictim(own: ProjectEntries): ProjectEntries {
    if (own.bytes() > share() && own.size() > 1) return own
    if (exceeding === undefined || exceeding === own || exceeding.bytes() <= share())
      exceeding = findExceeding(own)
    return exceeding
  }

  function makeRoom(own: ProjectEntries): void {
    while (bytes > maxBytes) {
      const victim = chooseVictim(own)
      if (victim.evict()) evictions += 1
      if (victim.size() === 0) forget(victim)
    }
  }

  /** A project without responses does not reduce the share of the others. */
  function forget(own: ProjectEntries): void {
    if (!projects.delete(own.project)) return
    leaveQueue(byUse, own)
    count(-own.bytes())
    if (own === exceeding) exceeding = undefined
  }

  return {
    /** Without counting it as a use. */
    peek: (project: number, key: string): StoredResponse | undefined => projects.get(project)?.peek(key),
    find(project: number, key: string): Found | undefined {
      const own = projects.get(project)
      if (own !== undefined) use(own)
      return own?.find(key)
    },
    /** Returns whether the response is stored in full memory, because it was requested or used before. */
    offer(project: number, { key, bytes: size, follows, create }: Offer): boolean {
      const own = projects.getOrInsertComputed(project, open)
      use(own)
      const added = sizeOfEntry(key, { body: { length: size } }, follows)
      // An empty project would be forgotten, and with it that this response was requested.
      const isFull = own.size() > 0 && bytes + added > maxBytes && own.bytes() + added > share()
      const isAgain = isFull && own.isRequestedAgain(key)
      if (!isFull || isAgain) own.add(key, create(), follows, isFull)
      makeRoom(own)
      return isAgain
    },
    /** Counts bytes that were added to a stored response. */
    grow(project: number, key: string, response: StoredResponse, added: number): void {
      const own = projects.get(project)
      own?.grow(key, response, added)
      if (own !== undefined) makeRoom(own)
    },
    /** Drops the responses that follow these objects; null stands for all objects. */
    dropFollowing(project: number, ids: readonly number[] | null): void {
      const own = projects.get(project)
      own?.dropFollowing(ids)
      if (own?.size() === 0) forget(own)
    },
    dropAll(project: number): void {
      const own = projects.get(project)
      own?.dropAll()
      if (own !== undefined) forget(own)
    },
    bytes: (): number => bytes,
    evictions: (): number => evictions,
  }
}
