import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { Database } from '../src/platform/database/database.ts'
import { fillProject } from './fill.ts'

/** A project for a client: its URL, token, up to 100,000 product IDs, and categories. */
export type Shop = {
  url: string
  token: string
  project: number
  products: number
  ids: number[]
  categories: number[]
}

/** Pages of 500. */
const samples = 200

/** Over HTTP, so that any server with the same API can be measured. */
export async function discoverShop(url: string, token: string): Promise<Shop> {
  const read = async (path: string) => JSON.parse(await readText({ url, token }, path))
  const { id: project } = await read('/v2/project')
  const { count } = await read('/v2/products?page_size=500')
  const pages = Math.ceil(count / 500)
  const ids: number[] = []
  for (let sample = 0; sample < Math.min(samples, pages); sample += 1) {
    const page = 1 + Math.floor((sample * pages) / Math.min(samples, pages))
    const { results } = await read(`/v2/products?page_size=500&page=${page}`)
    ids.push(...results.map(({ id }: { id: number }) => id))
  }
  const { results: categories } = await read('/v2/categories?page_size=500')
  return {
    url,
    token,
    project,
    products: count,
    ids,
    categories: categories.map(({ id }: { id: number }) => id),
  }
}

const agent = new Agent({ keepAlive: true })

/** Uses node:http, which has little overhead. */
export function readText({ url, token }: Pick<Shop, 'url' | 'token'>, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const outgoing = request(url + path, { agent, headers }, async (response) => {
      const body = await text(response)
      if (response.statusCode === 200) resolve(body)
      else reject(new Error(`${path}: ${response.statusCode} ${body}`))
    })
    outgoing.on('error', reject).end()
  })
}

/** Creates a project without a rate limit, with products and a token. */
export async function createShop(
  database: Database,
  products: number,
  isLean = false,
): Promise<{ project: number; token: string }> {
  const actor = { name: 'bench' }
  const { id: project } = await createProject(database, actor, {
    name: `${products} products`,
    plan: 'enterprise',
  })
  await changeProject(database, actor, project, { rateLimit: 'none' })
  const { token } = await issueToken(database, actor, project)
  if (products > 0) await fillProject(database, project, products, isLean)
  return { project, token }
}
