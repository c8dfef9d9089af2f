import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../src/platform/database/database.ts'
import { sql, write } from '../../../src/platform/database/sql.ts'
import { type Body, type Client, retryMilliseconds } from '../client.ts'
import type { Observed, Registers } from '../registers.ts'
import type { Commands } from './command-writes.ts'

const letters = 26

/** A code of a currency, in alphabetical order of the changes. */
export function currencyOf(turn: number): string {
  const places = [letters ** 2, letters, 1].map((place) => Math.floor(turn / place) % letters)
  return String.fromCharCode(...places.map((place) => 'A'.charCodeAt(0) + place))
}

const registerOf = (project: number) => `currency of project ${project}`

/** The currency that a detail shows. */
export function seeCurrency({ project, currency }: Body): Observed {
  const places: number[] = Array.from(
    currency as string,
    (letter) => letter.charCodeAt(0) - 'A'.charCodeAt(0),
  )
  return [registerOf(project), places.reduce((turn, place) => turn * letters + place, 0)]
}

/** Writes that concern all products of a project. A background job computes scores again after each change of the ruleset. */
export function projectWrites(
  database: Database,
  client: Client,
  commands: Commands,
  registers: Registers,
): Record<string, (turn: number) => Promise<unknown>> {
  let currency = 0
  registers.write([[registerOf(client.project), currency]], { start: 0, end: performance.now() })

  /** No request changes the currency of a project yet, but every detail shows it. */
  async function setCurrency(): Promise<void> {
    const next = currency + 1
    const start = performance.now()
    const statement = write(
      sql`update projects set currency = ${currencyOf(next)} where id = ${client.project} returning id`,
    )
    while (!(await database.query(statement).catch(() => undefined))) await sleep(retryMilliseconds)
    currency = next
    registers.write([[registerOf(client.project), next]], { start, end: performance.now(), at: 'currency' })
  }

  return {
    currency: setCurrency,
    rules: (turn) =>
      client.write('PUT', '/v2/quality-rules', {
        rules: [{ code: `priced_${turn}`, kind: 'price_present', points: 1 + (turn % 100) }],
      }),
    definitions: (turn) =>
      client.write('PUT', '/v2/attributes', {
        attributes: [{ name: 'tag', type: 'text', label: `Tag ${turn}` }],
      }),
    definition: async (turn) => {
      const name = `weight_${turn}`
      await client.write('POST', '/v2/attributes', { name, type: 'number' })
      await client.write('PATCH', `/v2/attributes/${name}`, { label: `Weight ${turn}` })
      await client.write('DELETE', `/v2/attributes/${name}`)
    },
    defaultRules: () => client.write('DELETE', '/v2/quality-rules'),
    plan: (turn) => commands.setPlan(turn % 2 === 0 ? 'pro' : 'enterprise'),
  }
}
