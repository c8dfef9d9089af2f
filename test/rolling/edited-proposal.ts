import type pg from 'pg'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { bearer } from '../processes/served-shop.ts'
import type { Changed } from './every-change.ts'

/** The older release shows a proposal of a run, and applies a line as the newer one edited it. Returns the events. */
export async function applyEditedLine(
  connection: pg.ClientConfig,
  older: string,
  newer: string,
  token: string,
): Promise<Changed[]> {
  // biome-ignore lint/suspicious/noExplicitAny: responses of several routes
  const send = async (url: string, method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { ...bearer(token), ...(body !== undefined && { 'content-type': 'application/json' }) }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/v2${path}`, { method, headers, ...json })
    expect([path, response.status < 300]).toEqual([path, true])
    return response.json()
  }
  const { id } = await send(newer, 'POST', '/proposals', [{ sku: 'PICTURED', description: 'Proposed' }])
  await send(newer, 'PATCH', `/proposals/${id}/lines/1`, { patch: { description: 'Edited' } })
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  await database.query(sql`update proposals set origin = 'run', run_id = 1 where id = ${id}`)
  await database.close()
  const { results } = await send(older, 'GET', '/proposals?ordering=-id')
  expect(results[0]).toMatchObject({ id, origin: 'run', state: 'open' })
  const lines = await send(older, 'GET', `/proposals/${id}/lines`)
  expect(lines.results[0].changes.description.after).toBe('Edited')
  expect(await send(older, 'POST', `/proposals/${id}/apply`, {})).toMatchObject({ state: 'applied' })
  expect(await send(newer, 'GET', '/products/by-sku/PICTURED')).toMatchObject({ description: 'Edited' })
  const types = ['proposal.opened', 'proposal.updated', 'proposal.applied'] as const
  return types.map((type) => ({ type, object: String(id) }))
}
