import type { Scope } from '../scopes.ts'

type ObjectKind = { object: string; events: readonly string[]; scope: Scope }

/** What changes are told of, and the scope that shows them. A new kind of event is an entry here, and triggers for older releases (CONTRIBUTING.md, Migrations). */
const objectKinds = [
  { object: 'product', events: ['created', 'updated', 'stock_changed'], scope: 'products:read' },
  { object: 'category', events: ['created', 'updated', 'deleted'], scope: 'products:read' },
  { object: 'attribute', events: ['created', 'updated', 'deleted'], scope: 'products:read' },
  { object: 'quality_rules', events: ['updated'], scope: 'products:read' },
  {
    object: 'prompt',
    events: ['created', 'updated', 'version_created', 'label_moved'],
    scope: 'prompts:read',
  },
  {
    object: 'proposal',
    events: ['opened', 'updated', 'applied', 'partly_applied', 'discarded', 'expired', 'failed'],
    scope: 'products:read',
  },
  { object: 'webhook', events: ['failing', 'disabled'], scope: 'events:read' },
] as const satisfies readonly ObjectKind[]

type Kind = (typeof objectKinds)[number]
export type EventType = {
  [Each in Kind as Each['object']]: `${Each['object']}.${Each['events'][number]}`
}[Kind['object']]

/** Every type with the scope that an event of it is shown with, beside events:read. */
export const eventTypes = new Map<EventType, Scope>(
  objectKinds.flatMap(({ object, events, scope }) =>
    events.map((event): [EventType, Scope] => [`${object}.${event}` as EventType, scope]),
  ),
)

/** What an event of the type is about. */
export function kindOf(type: EventType): string {
  return type.slice(0, type.indexOf('.'))
}
