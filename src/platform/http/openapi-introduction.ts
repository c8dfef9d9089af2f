/** The introduction of the document, in Markdown. */
export const introduction = `Use this API to manage the products, categories, proposals and prompt templates of one project, which the token selects. Lists include an exact \`count\`. Every error is an RFC 9457 problem.

## Authentication

Every request, except those under "Service", needs a project token in the header \`Authorization: Bearer cat_…\`. A token has scopes, and each operation names the scope that it requires. \`products:write\` includes \`products:propose\`, which cannot change the catalog, and both include \`products:read\`. The service returns 401 if the token is missing, wrong, expired or revoked, and 403 if a scope is missing.

## Errors

An error is \`application/problem+json\`: \`code\` never changes and is meant for programs, \`detail\` explains what to do, \`errors\` lists every error in the parameters or the body, and \`request_id\` identifies the request in the log. \`/errors/{code}\` describes each code.

## Limits

Each project has a rate limit. The headers \`RateLimit\` and \`RateLimit-Policy\` show what is left. Above the limit, the service returns 429. With 429 and 503, \`Retry-After\` is the number of seconds to wait. A page has at most 500 items, and a push at most 10,000 lines.

## Safe to repeat

Reads, except the export, return an \`ETag\`. With \`If-None-Match\`, a read returns 304 if nothing has changed. With \`If-Match\`, a write returns 412 if another client changed the object first. A POST request with an \`Idempotency-Key\` takes effect once, however often it is sent with the same key.
`
