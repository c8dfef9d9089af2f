import { objectKinds } from '../src/model/events/event-types.ts'

/** The event types, when they are emitted, and what they contain. */
export function eventsPage(): string {
  const rows = objectKinds.flatMap(({ object, scope, events }) =>
    Object.entries(events).map(
      ([event, { when, data }]) => `| \`${object}.${event}\` | ${when} | ${data} | \`${scope}\` |`,
    ),
  )
  return `# Events

Generated from \`src/model/events/event-types.ts\` by \`npm run generate\`. [Follow
changes](../guide/follow-changes.md) explains how to read events.

A token needs \`events:read\` and the scope in the table. A write that changes nothing emits no
event.

| Type | Emitted when | \`before\` and \`after\` contain | Scope |
|---|---|---|---|
${rows.join('\n')}

- \`before\` is \`null\` if the object did not exist, \`after\` is \`null\` if it no longer exists.
- \`id\` is the ID of the object. It is the prompt's ID for versions and labels, and 0 for attribute
  definitions and quality rules, whose \`version\` is the ruleset.
- If \`before\` and \`after\` exceed 20,000 bytes together, the largest fields are omitted, and
  \`left_out\` names them. Read the object for their values.
- \`actor\` is the name of the token or user. \`source\` is \`api\`, \`bulk\`, \`console\`, \`cli\` or
  \`service\`: a change by the service itself, such as an expired proposal.
- Erasing a product, and deleting a closed proposal after 30 days, emits no event.
- During a rolling upgrade, triggers record the changes of the previous release, with the source
  \`service\`. Their actor is \`older release\` if the database does not store who made the change.
`
}
