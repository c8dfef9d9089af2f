/** The introduction of the document, in Markdown. */
export const introduction = `Use this API to manage the products, categories, proposals and prompt templates of one project, such as a shop. The token determines the project. Lists include an exact \`count\`.

## Authentication

Send a project token with every request, except those under "Service", in the header \`Authorization: Bearer cat_…\`. Each operation names the scope that the token needs. \`products:write\` includes \`products:propose\`, and both include \`products:read\`. With \`products:propose\` alone, a client can create proposals but not change products. A request without a valid token returns 401, and a request without the required scope returns 403.

## Errors

Error responses are RFC 9457 problems (\`application/problem+json\`). Use \`code\`, which never changes, in programs. \`detail\` explains what to do, \`errors\` lists the invalid parameters or fields, and \`request_id\` identifies the request in the log. \`/errors/{code}\` describes each code.

## Limits

Each project has a rate limit. The headers \`RateLimit\` and \`RateLimit-Policy\` show the remaining requests. Requests over the limit return 429. Every 429 and 503 response includes \`Retry-After\`, the number of seconds to wait. A page has at most 500 items. A push (a bulk write of products) has at most 10,000 lines, one per product.

## Repeat requests safely

Reads, except the export, return an \`ETag\`. If you send it in \`If-None-Match\`, a read returns 304 when nothing has changed. If you send it in \`If-Match\`, a product write returns 412 when the product has changed. A POST request takes effect only once for each \`Idempotency-Key\`.
`
