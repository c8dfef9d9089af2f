import { readFileSync } from 'node:fs'

/** The address of the service in the docs. */
const address = 'http://127.0.0.1:8080'
/** The origin of the sample model in the docs. */
const modelOrigin = 'http://127.0.0.1:11435'

export type Example = {
  title: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  status: number
  response: unknown
}
/** A block to paste into a shell, and the output that the page shows after it. */
export type Commands = { text: string; shown: string | undefined }
export type Block = { kind: 'sh'; commands: Commands } | { kind: 'http'; examples: Example[] }

export function readDocument(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}

/** The pages of the API guide, in the order of its index. */
export function readGuidePages(): string[] {
  const links = readDocument('docs/api.md').matchAll(/\]\((guide\/[\w-]+\.md)\)/g)
  return [...new Set([...links].map(([, page]) => `docs/${page}`))]
}

/** The commands and examples of a page, in order, for a service at the URL and a sample model. */
export function readBlocks(file: string, url = address, model = modelOrigin): Block[] {
  const text = readDocument(file).replaceAll(address, url).replaceAll(modelOrigin, model)
  const fences = text.matchAll(/^```(sh|http)\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)
  return [...fences].map(([, kind, block = '', shown]) =>
    kind === 'sh'
      ? { kind, commands: { text: block.trim(), shown } }
      : { kind: 'http', examples: block.trim().split('\n\n').map(readExample) },
  )
}

export function readCommands(file: string): string[] {
  return readBlocks(file).flatMap((block) => (block.kind === 'sh' ? block.commands.text : []))
}

export function readExamples(file: string): Example[] {
  return readBlocks(file).flatMap((block) => (block.kind === 'http' ? block.examples : []))
}

/** Request line, headers, body, then status and part of the response. */
function readExample(block: string): Example {
  const [request = '', ...lines] = block.split('\n')
  const [, method = '', path = ''] = /^([A-Z]+) (\S+)$/.exec(request) ?? []
  const [, status = '', response = '{}'] = /^(\d{3})(?: (.+))?$/.exec(lines.at(-1) ?? '') ?? []
  const headers: Record<string, string> = {}
  const body: string[] = []
  for (const line of lines.slice(0, -1)) {
    const [, name, value = ''] = body.length === 0 ? (/^([A-Z][A-Za-z-]+):(.*)$/.exec(line) ?? []) : []
    if (name === undefined) body.push(line)
    else headers[name.toLowerCase()] = value.trim()
  }
  return {
    title: request,
    method,
    path,
    headers,
    ...(body.length > 0 && { body: body.join('\n') }),
    status: Number(status),
    response: JSON.parse(response),
  }
}
