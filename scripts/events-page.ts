import { objectKinds } from '../src/model/events/event-types.ts'

/** The event types, when they are emitted, and what they contain. */
export function eventsPage(): string {
  const rows = objectKinds.flatMap(({ object, scope, events }) =>
    Object.entries(events).map(
      ([event, { when, data }]) => `| \`${object}.${event}\` | ${when} | ${data} | \`${scope}\` |`,
    ),
  )
  return `# Events

[Follow changes](../guide/follow-changes.md) explains how to read events. To see an event, a token
needs \`events:read\` and the scope in the table. A write that changes nothing emits no event.

| Type | Emitted when | \`before\` and \`after\` contain | Scope |
|---|---|---|---|
${rows.join('\n')}

- \`before\` is \`null\` if the object did not exist before the change. \`after\` is \`null\` if it does not
  exist after the change.
- \`data.id\` is the ID of the object. For prompt versions and labels, it is the ID of the prompt.
  Attribute definitions and quality rules have no ID: \`data.id\` is 0, and \`data.version\` is the
  number of the ruleset.
- If \`before\` and \`after\` exceed 20,000 bytes together, the event omits their largest fields and
  lists them in \`left_out\`. Read the object for their values. Product events are always complete in
  the feed; a [webhook](../guide/webhooks.md#receive-events) sends large events without \`before\` and
  \`after\`.
- \`actor\` is the name of the token, or the email address of the user. \`source\` is \`api\`, \`bulk\` (a
  push), \`console\`, \`cli\` or \`service\`. The service itself makes changes such as expiring a
  proposal.
- Erasing a product emits no event. Neither does the deletion of a closed proposal after 30 days.
- During a rolling upgrade, the database records the changes of the previous release, with the
  source \`service\`. If it does not store who made a change, the actor is \`older release\`.

<!-- Generated from src/model/events/event-types.ts by \`npm run generate\`. -->
`
}
