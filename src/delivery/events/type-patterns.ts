import { type EventType, eventTypes, objectKindOf } from '../../model/events/event-types.ts'

const all = [...eventTypes.keys()]
const objects = [...new Set(all.map(objectKindOf))]

/** What types may be asked for by: each by its name, those of one kind of object together, or all. */
export const typePatterns: readonly string[] = ['*', ...objects.map((object) => `${object}.*`), ...all]

/** The types that some patterns mean. */
export function matchingTypes(patterns: readonly string[]): EventType[] {
  return all.filter((type) =>
    patterns.some((pattern) => pattern === '*' || pattern === type || pattern === `${objectKindOf(type)}.*`),
  )
}
