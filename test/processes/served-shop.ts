import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isAlive } from '../../src/platform/database/embedded/process.ts'
import type { Serving } from './catalog-process.ts'
import type { CommandRunner } from './command-runner.ts'

export function postmaster(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)
}

/** Sends a signal twice, like npm in a terminal, which forwards the terminal's signal. The database of the folder stops too. */
export async function endTwice(
  { process: child, stderr, stop }: Serving,
  signal: NodeJS.Signals,
  folder: string,
): Promise<void> {
  const pid = postmaster(folder)
  child.kill(signal)
  await expect.poll(stderr).toContain('stopping')
  const { code } = await stop(signal)
  expect([code, isAlive(pid)]).toEqual([0, false])
}

/** Creates a project with a token by commands. */
export async function newToken(
  { catalogJson }: Pick<CommandRunner, 'catalogJson'>,
  plan = 'enterprise',
): Promise<{ project: string; id: string; token: string }> {
  const { id: project } = await catalogJson(['project', 'create', '--name', 'T', '--plan', plan])
  const { id, token } = await catalogJson(['token', 'create', '--project', String(project)])
  return { project: String(project), id: String(id), token }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function create(url: string, token: string, sku: string): Promise<number> {
  const response = await fetch(`${url}/api/products`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ sku, name: sku }),
  })
  await response.arrayBuffer()
  return response.status
}

export async function count(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/products?page_size=1`, { headers: bearer(token) })
  return ((await response.json()) as { count: number }).count
}

/** The process IDs of the server and its backends. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [pid, ...children]
}
