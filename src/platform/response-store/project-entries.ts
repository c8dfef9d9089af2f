import { hash } from 'node:crypto'
import type { FastifyContextConfig } from 'fastify'
import { followersOf } from './followers.ts'
import { createPlace, enqueue, leaveQueue, type Queue, type Queued } from './queue.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** A response that can be sent again. */
export type StoredResponse = {
  body: StoredBytes
  tag: string
  /** The header `Catalog-Hint`. */
  hint: string | undefined
  /** By encoding. Undefined until a client has requested one. */
  compressed: Record<string, StoredBytes> | undefined
  shared: SharedParts
}

/** What the responses of a route share, so that it takes memory only once. */
export type SharedParts = {
  route: { url: string; config: FastifyContextConfig }
  contentType: string
  cacheControl: string
}

/** Changes of which objects drop an entry: of these, of any product, or any change at all. */
export type Follows = { objects: readonly number[]; anyProduct: boolean } | 'everything'

/** A response, and what drops it. */
export type Found = { response: StoredResponse; follows: Follows }

type Entry = Queued &
  Found & {
    key: string
    bytes: number
    /** Requests since the entry was stored or last passed over, up to 3. */
    uses: number
    isInMain: boolean
  }

/** Approximately: an entry with its places in maps and queues and its ghosts, and the maps of a project with its first ghosts. */
const entryBytes = 510
const followBytes = 90
const projectBytes = 3_000
const ghostsPerEntry = 2
const firstGhosts = 16
const maxUses = 3
/** The part of the bytes that new entries get. */
const smallShare = 0.1

export type ProjectEntries = ReturnType<typeof projectEntries>

/**
 * The entries of one project, evicted by S3-FIFO: new entries wait in a small queue. Those that are used again move to the main queue,
 * the others leave and are remembered as ghosts, by a hash of their key. `count` receives the change in bytes.
 */
export function projectEntries(project: number, count: (bytes: number) => void) {
  const entries = new Map<string, Entry>()
  const small: Queue<Entry> = { first: undefined, last: undefined }
  const main: Queue<Entry> = { first: undefined, last: undefined }
  const ghosts = new Set<number>()
  const followers = followersOf<Entry>()
  const ofAnyProduct = new Set<Entry>()
  const ofEverything = new Set<Entry>()
  let bytes = projectBytes
  let smallBytes = 0

  function resize(entry: Entry, change: number): void {
    bytes += change
    if (!entry.isInMain) smallBytes += change
    count(change)
  }
  count(projectBytes)

  function follow(entry: Entry): void {
    if (entry.follows === 'everything') return void ofEverything.add(entry)
    if (entry.follows.anyProduct) ofAnyProduct.add(entry)
    for (const id of entry.follows.objects) followers.add(id, entry)
  }

  function unfollow(entry: Entry): void {
    ofEverything.delete(entry)
    ofAnyProduct.delete(entry)
    if (entry.follows === 'everything') return
    for (const id of entry.follows.objects) followers.delete(id, entry)
  }

  function drop(entry: Entry): void {
    if (!entries.delete(entry.key)) return
    leaveQueue(entry.isInMain ? main : small, entry)
    unfollow(entry)
    resize(entry, -entry.bytes)
  }

  /** Drops a response whose object has changed. If it was used, the next request stores it again. */
  function outdate(entry: Entry): void {
    drop(entry)
    if (entry.isInMain || entry.uses > 0) remember(entry.key)
  }

  function remember(key: string): void {
    const most = firstGhosts + ghostsPerEntry * entries.size
    for (const ghost of ghosts) {
      if (ghosts.size < most) break
      ghosts.delete(ghost)
    }
    ghosts.add(ghostOf(key))
  }

  function moveToMain(entry: Entry): void {
    leaveQueue(small, entry)
    smallBytes -= entry.bytes
    entry.isInMain = true
    entry.uses = 0
    enqueue(main, entry)
  }

  /** Returns whether an entry left. */
  function passSmall(entry: Entry): boolean {
    if (entry.uses > 1) {
      moveToMain(entry)
      return false
    }
    drop(entry)
    remember(entry.key)
    return true
  }

  function passMain(entry: Entry): boolean {
    if (entry.uses === 0) {
      drop(entry)
      return true
    }
    entry.uses -= 1
    leaveQueue(main, entry)
    enqueue(main, entry)
    return false
  }

  return {
    // The store puts projects into a queue.
    ...createPlace(),
    bytes: () => bytes,
    project,
    size: () => entries.size,
    peek: (key: string): StoredResponse | undefined => entries.get(key)?.response,
    find(key: string): Found | undefined {
      const entry = entries.get(key)
      if (entry !== undefined && entry.uses < maxUses) entry.uses += 1
      return entry
    },
    /** Whether the key was requested before. Remembers it if not. */
    isRequestedAgain(key: string): boolean {
      const isKnown = ghosts.delete(ghostOf(key))
      if (!isKnown) remember(key)
      return isKnown
    },
    add(key: string, response: StoredResponse, follows: Follows, isInMain: boolean): void {
      const held = entries.get(key)
      if (held !== undefined) drop(held)
      // One literal, because an object that is built by spreading takes more memory.
      const entry: Entry = {
        key,
        response,
        follows,
        bytes: sizeOfEntry(key, response, follows),
        uses: 0,
        isInMain,
        before: undefined,
        after: undefined,
      }
      entries.set(key, entry)
      enqueue(isInMain ? main : small, entry)
      follow(entry)
      resize(entry, entry.bytes)
    },
    /** Counts bytes that were added to a response. */
    grow(key: string, response: StoredResponse, added: number): void {
      const entry = entries.get(key)
      if (entry?.response !== response) return
      entry.bytes += added
      resize(entry, added)
    },
    /** Evicts one entry, and returns false if there is none. */
    evict(): boolean {
      for (;;) {
        const next =
          small.first !== undefined && (smallBytes > bytes * smallShare || main.first === undefined)
        const entry = next ? small.first : main.first
        if (entry === undefined) return false
        if (entry.isInMain ? passMain(entry) : passSmall(entry)) return true
      }
    },
    /** Drops the entries that follow these products; null stands for all products. */
    dropFollowing(ids: readonly number[] | null): void {
      for (const entry of [...ofEverything, ...ofAnyProduct]) drop(entry)
      if (ids === null) for (const entry of [...entries.values()]) drop(entry)
      else for (const id of ids) for (const entry of followers.of(id)) outdate(entry)
    },
    dropAll(): void {
      for (const entry of [...entries.values()]) drop(entry)
    },
  }
}

/** The memory of an entry, before its response is compressed. */
export function sizeOfEntry(
  key: string,
  { body, hint = '' }: { body: { length: number }; hint?: string | undefined },
  follows: Follows,
): number {
  const followed = follows === 'everything' ? 1 : follows.objects.length
  return body.length + hint.length + key.length + entryBytes + followed * followBytes
}

/** A number takes less memory than a string. If two keys have the same one, a response is stored a request too early or too late. */
function ghostOf(key: string): number {
  return hash('md5', key, 'buffer').readInt32LE()
}
