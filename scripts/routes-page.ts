type Operation = { summary: string; tags: string[]; security: { token?: string[] }[] }
type Path = Record<string, Operation> & { servers?: never }
type Route = Operation & { method: string; address: string }
type Document = { tags: { name: string; description: string }[]; paths: Record<string, Path> }

/** Every route by tag, from the OpenAPI document. */
export function routesPage(document: object): string {
  const { tags, paths } = document as Document
  const routes = Object.entries(paths).flatMap(([path, { servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      address: servers === undefined ? `/v2${path}` : path,
    })),
  )
  const unlisted = routes.find((route) => !route.tags.some((tag) => tags.some(({ name }) => name === tag)))
  if (unlisted !== undefined) throw new Error(`${unlisted.method} ${unlisted.address} has no listed tag`)
  const sections = tags.map(({ name, description }) => {
    const rows = routes.filter((route) => route.tags.includes(name)).map(row)
    return `## ${name}\n\n${description}.\n\n| Route | Summary | Scope |\n|---|---|---|\n${rows.join('\n')}`
  })
  return `# Routes

The [guide](api.md) explains the routes with examples. [openapi.json](openapi.json) describes every
parameter and field, and \`/docs\` on your service is an interactive reference.

Every route under \`/v2\` is also available under \`/api\`. A token needs the scope in the last column.

${sections.join('\n\n')}

<!-- Generated from openapi.json by npm run generate. -->
`
}

function row({ method, address, summary, security }: Route): string {
  const [scope] = security[0]?.token ?? []
  return `| \`${method} ${address}\` | ${summary} | ${scope === undefined ? '–' : `\`${scope}\``} |`
}
