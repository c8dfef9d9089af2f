import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Body } from './client.ts'
import type { Observed, Registers } from './registers.ts'

type State = { id: number; version: number; ruleset: number; score: number }

const pollMilliseconds = 20
const mostRulesets = 100_000

/** Every write of a row creates a version, or a score by a newer ruleset. */
function observeState({ id, version, ruleset, score }: State): Observed {
  return [`state of product ${id}`, version * mostRulesets + ruleset, `score ${score}`]
}

/** The state of the row that a detail shows. */
export function stateOf({ id, version, quality_score: { ruleset, score } }: Body): Observed {
  return observeState({ id, version, ruleset, score })
}

/** Records every state of every product in its transaction. The lock of the row puts the states of a product in order. */
export async function recordRowStates(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script(`
      create table product_states (
        place bigint generated always as identity, id bigint, version integer, ruleset integer, score smallint);
      create function record_product_state() returns trigger language plpgsql as $$
        begin
          insert into product_states (id, version, ruleset, score)
          values (new.id, new.version, new.quality_ruleset, new.quality_score);
          return null;
        end $$;
      create trigger record_product_state after insert or update on products
        for each row execute function record_product_state()`),
  )
}

/**
 * Reads rows without the services, so that a response that is older than a row is found. Clients do not know when background jobs
 * write scores.
 */
export function followRows(database: Database, registers: Registers, ids: readonly number[]) {
  const latest = new Map<number, number>()
  let isOver = false

  async function poll(): Promise<void> {
    const start = performance.now()
    const rows = await database.query(sql<State>`
      select id, version, quality_ruleset as ruleset, quality_score as score from products where id = any(${ids}::bigint[])`)
    const interval = { start, end: performance.now(), at: 'the database' }
    for (const row of rows) {
      const observed = observeState(row)
      if (latest.get(row.id) === observed[1]) continue
      latest.set(row.id, observed[1])
      registers.read([observed], interval)
    }
  }

  const ended = (async () => {
    // The database can be gone.
    for (; !isOver; await sleep(pollMilliseconds)) await poll().catch(() => {})
  })()

  return {
    /** Completes the histories with all states, and returns those that were written in another order. */
    async stop(): Promise<string[]> {
      isOver = true
      await ended
      const states = await database.query(sql<State>`
        select id, version, ruleset, score from product_states where id = any(${ids}::bigint[]) order by place`)
      registers.allow(states.map(observeState))
      return [...Map.groupBy(states, ({ id }) => id).values()].flatMap(findDisorder)
    },
  }
}

function findDisorder(states: readonly State[]): string[] {
  return states.flatMap((state, place) => {
    const before = states[place - 1]
    return before !== undefined && observeState(before)[1] > observeState(state)[1]
      ? [`${JSON.stringify(before)} before ${JSON.stringify(state)}`]
      : []
  })
}
