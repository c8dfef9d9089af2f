import { type ProblemCode, problems } from '../src/platform/http/problem-catalog.ts'

/** The OpenAPI document names the errors of each route; all others are listed separately. */
export function errorsPage(openApi: object): string {
  const document = JSON.stringify((openApi as { paths: object }).paths)
  const isOfApi = (code: string) => document.includes(`\`${code}\``)
  const codes = Object.keys(problems) as ProblemCode[]
  return `# Errors

Every error response is \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/errors/invalid_body",
  "title": "${problems.invalid_body.title}",
  "status": 422,
  "detail": "${problems.invalid_body.detail}",
  "code": "invalid_body",
  "request_id": "0b5b4d3c-5a3e-4c55-9f0f-2d3b6f4f7a10",
  "errors": [{ "pointer": "/price", "code": "too_many_decimals", "message": "must have at most 4 decimals" }]
}
\`\`\`

- Use \`code\` in programs; \`detail\` is for people.
- \`errors\` lists the invalid values. Each entry has a \`pointer\`, which is a JSON pointer into the
  body, or the name of a query \`parameter\`.
- \`existing_id\` is the ID of the existing object, if the request would create a duplicate.
- 429 and 503 responses include \`Retry-After\`.
- An error response is at most 512 KiB.

## API errors

${tableOf(codes.filter(isOfApi))}

## Other errors

The console's own requests return most of these errors. Any request can return \`unknown_route\`,
\`method_not_allowed\` or \`unsupported_http_version\`.

${tableOf(codes.filter((code) => !isOfApi(code)))}

<!-- Generated from src/platform/http/problem-catalog.ts by npm run generate. -->
`
}

function tableOf(codes: ProblemCode[]): string {
  const rows = codes.map((code) => {
    const { status, title, detail } = problems[code]
    return `| ${status} | \`${code}\` | ${title} | ${detail} |`
  })
  return `| Status | Code | Title | What to do |\n|---|---|---|---|\n${rows.join('\n')}`
}
