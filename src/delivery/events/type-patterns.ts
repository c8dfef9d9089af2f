import { type EventType, eventTypes, objectKindOf } from '../../model/events/event-types.ts'

const all = [...eventTypes.keys()]
const objects = [...new Set(all.map(objectKindOf))]

/** The accepted patterns: each type, all types of one kind of object, or all types. */
export const typePatterns: readonly string[] = ['*', ...objects.map((object) => `${object}.*`), ...all]

/** The types that match any of the patterns. */
export function matchingTypes(patterns: readonly string[]): EventType[] {
  return all.filter((type) =>
    patterns.some((pattern) => pattern === '*' || pattern === type || pattern === `${objectKindOf(type)}.*`),
  )
}
