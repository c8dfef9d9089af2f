import { expect, test } from 'vitest'
import { sharedTestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'

test('a request that writes many lines has the time limit of a push, also with an Idempotency-Key', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const post = async (path: string, body?: object, headers = {}) =>
    (await shop.call(`/v2${path}`, { method: 'POST', headers, ...(body && { body }) })).body
  const change = (text: string) => service.database.transaction((tx) => tx.script(text))
  // The title of a proposal shows the time limit of the statement that wrote it.
  await change(`
    create function call_by_limit() returns trigger language plpgsql as
      $$ begin new.title := current_setting('statement_timeout'); return new; end $$;
    create trigger call_by_limit before insert or update on proposals for each row
      when (new.project_id = ${shop.project}) execute function call_by_limit()`)
  whenFileEnds(() => change('drop function call_by_limit cascade'))

  await post('/products', { sku: 'A', name: 'A' })
  const edits = [{ field: 'price', op: 'set', value: 2 }]
  for (const headers of [{}, { 'idempotency-key': 'once' }]) {
    const filtered = await post('/proposals/from-filter', { filter: '', edits }, headers)
    const { id, title } = await post('/proposals', [{ sku: 'A', price: Object.keys(headers).length }])
    const discarded = await post(`/proposals/${id}/discard`, undefined, headers)
    const other = await post('/proposals', [{ sku: 'A', price: 3 + Object.keys(headers).length }])
    await post(`/proposals/${other.id}/apply`)
    const reverting = await post(`/proposals/${other.id}/revert`, undefined, headers)
    const titles = [filtered, { title }, discarded, reverting].map((proposal) => proposal.title)
    expect(titles).toEqual(['30s', '30s', '30s', '30s'])
  }
})
