/** What the document says before its operations, in Markdown: whoever opens the reference reads this first. */
export const introduction = `Products, categories, proposals and prompt templates of one project, chosen by the token. Lists carry an exact \`count\`; every error is an RFC 9457 problem.

## Authentication

Every request but those under "Service" carries a token of the project in the header \`Authorization: Bearer cat_…\`. A token has scopes; each operation names the one that it needs. \`products:write\` includes \`products:propose\`, which cannot change the catalog, and both include \`products:read\`. A missing, wrong, expired or revoked token is answered with 401, a scope that is missing with 403.

## Errors

An error is \`application/problem+json\`: \`code\` never changes and is meant for programs, \`detail\` says what to do, \`errors\` names every fault of the parameters or the body at once, and \`request_id\` finds the request in the log. \`/errors/{code}\` describes each.

## Limits

Each project has a rate limit; \`RateLimit\` and \`RateLimit-Policy\` tell what is left. Beyond it the answer is 429, and \`Retry-After\` says how many seconds to wait, as it does with 503. A page has at most 500 items, a push 10,000 lines.

## Safe to repeat

Reads, but for the export, have an \`ETag\`: with \`If-None-Match\` they are answered with 304 while nothing has changed, and with \`If-Match\` a change is refused with 412 when somebody else was quicker. A POST that takes an \`Idempotency-Key\` is done once, however often it is sent with the same key.
`
