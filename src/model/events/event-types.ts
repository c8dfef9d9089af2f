import type { Scope } from '../scopes.ts'

type EventKind = { when: string; data: string }
type ObjectKind = { object: string; scope: Scope; events: Record<string, EventKind> }

/**
 * Every event type, when it is emitted, what `before` and `after` contain, and the scope that shows it. A new type is an entry here,
 * and a trigger for older releases (CONTRIBUTING.md, Migrations). docs/reference/events.md is generated from this table.
 */
export const objectKinds = [
  {
    object: 'product',
    scope: 'products:read',
    events: {
      created: { when: 'A product is created', data: 'all fields' },
      updated: { when: 'A product gets a new version', data: 'the changed fields' },
      stock_changed: {
        when: 'An adjustment, write or push changes the stock',
        data: '`after`: `delta`, `quantity` and `reason`; `before` is `null`',
      },
    },
  },
  {
    object: 'category',
    scope: 'products:read',
    events: {
      created: { when: 'A request creates a category, or a product names a new one', data: 'the category' },
      updated: {
        when: 'A category is renamed or moved, including a move because its parent is merged; its subcategories emit no event',
        data: 'the category before and after',
      },
      deleted: { when: 'A category is deleted, or merged into another one', data: 'the category before' },
    },
  },
  {
    object: 'attribute',
    scope: 'products:read',
    events: {
      created: { when: 'An attribute is defined', data: 'the definition' },
      updated: {
        when: 'A definition changes, including a change because a category that it names is merged',
        data: 'the definition before and after',
      },
      deleted: { when: 'A definition is deleted', data: 'the definition before' },
    },
  },
  {
    object: 'view',
    scope: 'products:read',
    events: {
      created: { when: 'A view is defined', data: 'the view' },
      updated: { when: 'The definition of a view changes', data: 'the view before and after' },
      deleted: { when: 'A view is deleted', data: 'the view before' },
    },
  },
  {
    object: 'quality_rules',
    scope: 'products:read',
    events: {
      updated: {
        when: 'The quality rules change, or return to the default rules',
        data: '`ruleset` and `rules` before and after',
      },
    },
  },
  {
    object: 'prompt',
    scope: 'prompts:read',
    events: {
      created: { when: 'A prompt is created', data: 'the prompt' },
      updated: { when: 'The name or description changes', data: 'the prompt before and after' },
      version_created: { when: 'A prompt gets another version', data: 'the version' },
      label_moved: {
        when: 'A label is created, moved or removed',
        data: 'the label before and after',
      },
    },
  },
  {
    object: 'proposal',
    scope: 'products:read',
    events: {
      opened: { when: 'The lines of a proposal are ready for review', data: 'the proposal' },
      updated: {
        when: 'Some lines are applied or discarded, or lose their product; or `reverted_by` changes',
        data: 'the proposal before and after',
      },
      applied: {
        when: 'All lines are applied. The events of the products come before this event',
        data: 'the proposal before and after',
      },
      partly_applied: {
        when: 'No line is open, but some lines are in conflict, discarded or rejected',
        data: 'the proposal before and after',
      },
      discarded: { when: 'A proposal is discarded', data: 'the proposal before and after' },
      expired: { when: 'A proposal expires', data: 'the proposal before and after' },
      failed: {
        when: 'No line can be applied, or the service cannot prepare the lines',
        data: 'the proposal',
      },
    },
  },
  {
    object: 'run',
    scope: 'prompts:read',
    events: {
      started: { when: 'A run of a prompt starts', data: 'the run' },
      waiting: {
        when: 'A run waits for a person: its sample is ready, or it is paused or stopped at its budget',
        data: 'the run before and after',
      },
      finished: {
        when: 'A run is done, cancelled or failed. The event of its proposal comes before this event',
        data: 'the run before and after',
      },
    },
  },
  {
    object: 'webhook',
    scope: 'events:read',
    events: {
      failing: {
        when: 'Deliveries have failed for a while',
        data: '`state`, `failing_since`, `last_error`, `reason` and the host of `url`',
      },
      disabled: {
        when: 'A user or the service disables a webhook',
        data: '`state`, `failing_since`, `last_error`, `reason` and the host of `url`',
      },
    },
  },
] as const satisfies readonly ObjectKind[]

type Kind = (typeof objectKinds)[number]
export type EventType = {
  [Each in Kind as Each['object']]: `${Each['object']}.${keyof Each['events'] & string}`
}[Kind['object']]

/** The scope that a caller needs for each type, in addition to events:read. */
export const eventTypes = new Map<EventType, Scope>(
  objectKinds.flatMap(({ object, events, scope }) =>
    Object.keys(events).map((event): [EventType, Scope] => [`${object}.${event}` as EventType, scope]),
  ),
)

/** The kind of object that changed. */
export function objectKindOf(type: EventType): string {
  return type.slice(0, type.indexOf('.'))
}
