import {
  type Follows,
  type Found,
  type ProjectEntries,
  projectEntries,
  type StoredResponse,
  sizeOfEntry,
} from './project-entries.ts'

/** A response that is created only if it is stored. */
export type Offer = { key: string; bytes: number; follows: Follows; create: () => StoredResponse }

/**
 * Responses in memory, by project and key. Projects share the memory: one that takes more than its share evicts its own entries. While
 * the memory is full, such a project stores a response only when it is requested a second time.
 */
export function openResponseStore(maxBytes: number) {
  const projects = new Map<number, ProjectEntries>()
  let bytes = 0
  let evictions = 0
  let largest: ProjectEntries | undefined

  const count = (change: number) => {
    bytes += change
  }

  function share(): number {
    return maxBytes / Math.max(1, projects.size)
  }

  function findLargest(): ProjectEntries | undefined {
    let found: ProjectEntries | undefined
    for (const project of projects.values())
      if (found === undefined || project.bytes() > found.bytes()) found = project
    return found
  }

  /** The project itself if it exceeds its share, otherwise a project that does. */
  function nextVictim(own: ProjectEntries): ProjectEntries | undefined {
    if (own.bytes() > share() && !own.isEmpty()) return own
    if (largest === undefined || largest.bytes() <= share()) largest = findLargest()
    return largest
  }

  function makeRoom(own: ProjectEntries): void {
    while (bytes > maxBytes) {
      const victim = nextVictim(own)
      if (victim === undefined) return
      if (victim.evict()) evictions += 1
      if (victim.isEmpty()) forget(victim)
    }
  }

  /** A project without responses does not reduce the share of the others. */
  function forget(own: ProjectEntries): void {
    if (projects.delete(own.project)) count(-own.bytes())
    if (own === largest) largest = undefined
  }

  return {
    /** Without counting it as a use. */
    peek: (project: number, key: string): StoredResponse | undefined => projects.get(project)?.peek(key),
    find: (project: number, key: string): Found | undefined => projects.get(project)?.find(key),
    offer(project: number, { key, bytes: size, follows, create }: Offer): void {
      const own = projects.getOrInsertComputed(project, () => projectEntries(project, count))
      const added = sizeOfEntry(key, size, follows)
      // An empty project would be forgotten, and with it that this response was requested.
      const isFull = !own.isEmpty() && bytes + added > maxBytes && own.bytes() + added > share()
      if (!isFull || own.isRequestedAgain(key)) own.add(key, create(), follows, isFull)
      makeRoom(own)
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
      if (own?.isEmpty() === true) forget(own)
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
