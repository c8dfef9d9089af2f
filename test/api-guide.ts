import { readFileSync } from 'node:fs'

export type Example = {
  title: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  status: number
  answer: unknown
}

/** The examples of a guide: request line, headers, body, then status and a part of the answer; blank lines between. */
export function readExamples(file: string): Example[] {
  const text = readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```http\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.trim().split('\n\n'),
  )
  return blocks.map(readExample)
}

function readExample(block: string): Example {
  const [request = '', ...lines] = block.split('\n')
  const [, method = '', path = ''] = /^([A-Z]+) (\S+)$/.exec(request) ?? []
  const [, status = '', answer = '{}'] = /^(\d{3})(?: (.+))?$/.exec(lines.at(-1) ?? '') ?? []
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
    answer: JSON.parse(answer),
  }
}
