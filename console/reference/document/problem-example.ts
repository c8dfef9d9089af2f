import type { ResponseObject } from './document.ts'

/** A generated problem uses the status of its response, and the first code in its description. */
export function problemExample(
  example: unknown,
  status: string,
  { description = '', content }: ResponseObject,
): unknown {
  const { example: given, examples } = content?.['application/problem+json'] ?? {}
  const [, code, title] = /`([a-z_]+)`:? ?([^\n]*)/.exec(description) ?? []
  if (given !== undefined || examples !== undefined || code === undefined || !isObject(example))
    return example
  const { errors, existing_id, ...rest } = example
  return { ...rest, type: `/errors/${code}`, title, status: Number(status), code }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
