import { type EventType, eventTypes } from './event-types.ts'

const all = [...eventTypes.keys()]
const objects = [...new Set(all.map((type) => type.slice(0, type.indexOf('.'))))]

/** What types may be asked for by: each by its name, or those of one kind of object together. */
export const typePatterns: readonly string[] = [...objects.map((object) => `${object}.*`), ...all]

/** The types that some patterns mean. */
export function matchingTypes(patterns: readonly string[]): EventType[] {
  return all.filter((type) =>
    patterns.some((pattern) => pattern === type || pattern === type.replace(/\.\w+$/, '.*')),
  )
}
