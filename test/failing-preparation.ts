import { expect } from 'vitest'
import { raw, sql } from '../src/platform/database/sql.ts'
import type { Tenant, TestService } from './harness.ts'

/** A project with a product. */
export async function shopWithProduct(service: TestService): Promise<Tenant> {
  const shop = await service.tenant()
  await shop.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'Mug', price: 1 } })
  return shop
}

/** Proposes an edit whose lines the service prepares in the background. */
export async function proposeEdit(shop: Tenant): Promise<number> {
  const body = { filter: '', edits: [{ field: 'price', op: 'set', value: 2 }] }
  const created = await shop.call('/v2/proposals/from-filter', { method: 'POST', body })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

/**
 * Makes every preparation in the project fail until the returned function is called. The advisory lock with the project ID blocks
 * each attempt.
 */
export async function breakPreparation(
  { database }: TestService,
  project: number,
): Promise<() => Promise<void>> {
  const name = `broken_lines_${project}`
  await database.transaction((tx) =>
    tx.script(`
      create function ${name}() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(${project});
        raise 'no line can be written';
      end $$;
      create trigger ${name} before update on proposal_lines for each row when (new.project_id = ${project})
      execute function ${name}()`),
  )
  return async () => void (await database.query(raw(`drop function if exists ${name} cascade`)))
}

/** Runs a failed job again without the pause between attempts. Returns the state of the proposal. */
export async function hurryPreparation({ database }: TestService, id: number): Promise<string | undefined> {
  await database.query(sql`
    update jobs set due_at = clock_timestamp()
    where kind = 'proposal.prepare' and key = ${String(id)} and attempts > 0 and owner is null and failed_at is null
      and due_at > clock_timestamp()`)
  const [row] = await database.query(sql<{ state: string }>`select state from proposals where id = ${id}`)
  return row?.state
}

/** Undefined if the job is done. */
export async function preparationJobOf(
  { database }: TestService,
  id: number,
): Promise<{ id: number; attempts: number } | undefined> {
  const [job] = await database.query(sql<{ id: number; attempts: number }>`
    select id, attempts from jobs where kind = 'proposal.prepare' and key = ${String(id)}`)
  return job
}
