/** Ids of what a project with structure has. */
export type Structure = { parents: number[]; variants: number[]; bundles: number[]; largest: number }

/** A project over HTTP, which uses all that products can have, or nothing of it. */
export type Side = {
  url: string
  token: string
  products: number
  firstId: number
  /** What is changed as the benchmark goes on: the number of the last product, and of the last change of all. */
  next: number
  edition: number
  /** Only where all is used. */
  structure?: Structure
  isRich: boolean
}
export type Target = Pick<Side, 'url' | 'token'>

/** What is read of answers. */
type Answer = {
  summary: { rejected: number }
  rules: object[]
  results: { id: number }[]
}

export const linesPerPush = 5_000

export function product(isRich: boolean, number: number, edition = 0) {
  const value = (key: number) => `v${(number * (key + 1)) % 50} ${edition}`
  const attributes = Object.fromEntries(
    Array.from({ length: 8 }, (_, key) => [
      `a${key}`,
      isRich && key < 2 ? [value(key), `${value(key)} too`] : value(key),
    ]),
  )
  const picture = { url: `https://images.example/${number}.jpg`, alt: `Product ${number}` }
  return {
    sku: `S-${number}`,
    name: `Product ${number}, edition ${edition}`,
    description: 'A fine thing. '.repeat(10),
    price: (number % 1000) + 0.5 + edition,
    status: number % 2 === 0 ? 'active' : 'pending',
    categories: isRich
      ? [{ path: ['Shop', `B${number % 5}`, `C${number % 20}`] }, { path: ['Sale', `D${number % 7}`] }]
      : [{ name: `C${number % 20}` }, { name: `D${number % 7}` }],
    attributes,
    inventory: { quantity: number % 5 },
    ...(isRich && { media: [picture, { ...picture, kind: 'video' }] }),
  }
}

export async function send({ url, token }: Target, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Lines a second. */
export async function push(target: Target, lines: object[]): Promise<number> {
  const began = performance.now()
  const { summary } = await send(target, 'POST', '/v2/products/bulk', lines)
  if (summary.rejected > 0) throw new Error(`a push had ${summary.rejected} rejected lines`)
  return lines.length / ((performance.now() - began) / 1000)
}

export function lines({ isRich }: Pick<Side, 'isRich'>, from: number, edition = 0): object[] {
  return Array.from({ length: linesPerPush }, (_, at) => product(isRich, from + at, edition))
}

/** Twenty definitions, half of them enforced, and today's rules with two for media and one for an attribute. */
export async function govern(target: Target): Promise<void> {
  const definitions = Array.from({ length: 20 }, (_, key) => ({
    name: `a${key}`,
    type: 'text',
    multiple: key < 2,
    max_length: 100,
    pattern: 'v\\d+ \\d+( too)?',
    mode: key % 2 === 0 ? 'enforce' : 'warn',
  }))
  await send(target, 'PUT', '/v2/attributes', { attributes: definitions })
  const { rules } = await send(target, 'GET', '/v2/quality-rules')
  const own = [
    { code: 'image_present', kind: 'image_present', points: 10 },
    { code: 'image_alt', kind: 'image_alt', points: 5 },
    { code: 'a0_present', kind: 'attribute_present', attribute: 'a0', points: 5 },
  ]
  await send(target, 'PUT', '/v2/quality-rules', { rules: [...rules, ...own] })
}
