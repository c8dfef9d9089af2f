import { grants, type Scope, scopes } from '../src/model/scopes.ts'

const allowed: Record<Scope, string> = {
  'products:read': 'read products, categories, attribute definitions, quality rules and proposals',
  'products:propose': 'create and revert proposals, and discard your own',
  'products:write':
    'write products, categories, attribute definitions and quality rules; apply and discard proposals',
  'prompts:read': 'read and render prompts',
  'prompts:write': 'create prompts, add versions and move labels',
  'events:read': 'read and stream events',
  'webhooks:manage': 'read, create, change, test and delete webhooks',
  'ai:run': 'run prompts with an AI model, which costs money; the results are proposals',
  'ai:manage': 'connect, change, test and remove AI providers',
}

/** The scopes of tokens. */
export function scopesPage(): string {
  const rows = scopes.map((scope) => {
    const included = scopes.filter((other) => other !== scope && grants([scope], other))
    return `| \`${scope}\` | ${allowed[scope]} | ${included.map((other) => `\`${other}\``).join(', ')} |`
  })
  return `# Scopes

A token has all scopes by default, except \`ai:run\` and \`ai:manage\`, which allow it to spend
money. To choose the scopes, create the token with \`catalog token create --scopes products:read\`.
A request without the required scope returns 403 \`insufficient_scope\`. Every token can call
\`GET /project\`. [Routes](../routes.md) lists the scope that each route requires.

| Scope | Allows you to | Includes |
|---|---|---|
${rows.join('\n')}

<!-- Generated from src/model/scopes.ts by \`npm run generate\`. -->
`
}
