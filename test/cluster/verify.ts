import pg from 'pg'
import type { Load } from './load.ts'
import { catalog, databaseUrl, serviceUrls } from './services.ts'

/** Compares the database with the responses that clients received. */
export async function countLosses(load: Load): Promise<{ lost: number; duplicated: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; sku: string; quantity: number }>(
      'select id, sku, quantity from products',
    )
    const idOf = new Map(rows.map(({ id, sku }) => [sku, Number(id)]))
    const quantityOf = new Map(rows.map(({ id, quantity }) => [Number(id), Number(quantity)]))
    const differences = load.stock.map((id) => (quantityOf.get(id) ?? 0) - (load.adjusted.get(id) ?? 0))
    const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
    return {
      lost:
        [...load.created].filter(([sku, id]) => idOf.get(sku) !== id).length +
        sumOf(differences.map((difference) => Math.max(0, -difference))),
      duplicated:
        rows.length -
        load.created.size -
        load.stock.length +
        sumOf(differences.map((one) => Math.max(0, one))),
    }
  } finally {
    await client.end()
  }
}

/** The number of services that accept a token right after its revocation. */
export async function countRevokedAccepted(root: string, project: string): Promise<number> {
  const { id, token } = await catalog(root, 'token', 'create', '--project', project)
  const read = () =>
    Promise.all(
      serviceUrls.map(async (url) => {
        const response = await fetch(`${url}/v2/products`, { headers: { authorization: `Bearer ${token}` } })
        await response.arrayBuffer()
        return response.status
      }),
    )
  const before = await read()
  if (before.some((status) => status !== 200)) throw new Error(`a new token returned ${before}`)
  await catalog(root, 'token', 'revoke', String(id))
  return (await read()).filter((status) => status !== 401).length
}

/** The requests that three services accept in that time, and how many the project limit allows. */
export async function measureSharedLimit(
  root: string,
  seconds: number,
): Promise<{ passed: number; allowed: number }> {
  const { id } = await catalog(root, 'project', 'create', '--name', 'Limited', '--plan', 'pro')
  const { token } = await catalog(root, 'token', 'create', '--project', String(id))
  const end = performance.now() + seconds * 1000
  let passed = 0
  const clients = Array.from({ length: 12 }, async (_, client) => {
    while (performance.now() < end) {
      const url = `${serviceUrls[client % serviceUrls.length]}/v2/categories`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      if (response.ok) passed += 1
    }
  })
  await Promise.all(clients)
  return { passed, allowed: 200 + 100 * seconds }
}

export async function failedChecks(root: string): Promise<string[]> {
  const { checks } = await catalog(root, 'doctor')
  return checks
    .filter(({ status }: { status: string }) => status !== 'ok')
    .map(({ check, detail }: { check: string; detail: string }) => `${check}: ${detail}`)
}
