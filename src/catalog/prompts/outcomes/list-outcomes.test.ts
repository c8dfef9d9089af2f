import { expect, test } from 'vitest'
import { sharedTestService } from '../../../../test/harness.ts'
import { sql } from '../../../platform/database/sql.ts'
import { listOutcomes } from './list-outcomes.ts'

test('outcomes of more than one batch equal the counts of the database', { tags: 'slow' }, async () => {
  const { database, tenant } = await sharedTestService()
  const { project, call } = await tenant()
  await call('/v2/products', { method: 'POST', body: { sku: 'O', name: 'N' } })
  await database.transaction(async (tx) => {
    await tx.script('set local session_replication_role = replica')
    await tx.query(sql`
      insert into products
      select (jsonb_populate_record(null::products, to_jsonb(product) || jsonb_build_object('id', 70000000 + n, 'sku', 'O-' || n))).*
      from products as product, generate_series(1, 30) as n where project_id = ${project}`)
    await tx.query(sql`
      insert into product_history (project_id, product_id, version, actor, source, before, after, changed_at, score_before, score_after, provenance)
      select ${project}, 70000000 + n, version, 'a', 'api', '{}', '{}', now() - n * version * interval '1 second', 50,
             50 + (n * version) % 37 - 11, jsonb_build_object('name', jsonb_build_object('prompt_id', 7, 'version', version,
               'version_number', '1.' || case when n % 3 = 0 then 10 else 9 end || '.0'))
      from generate_series(1, 30) as n, generate_series(2, 202) as version`)
  })
  const outcomes = await listOutcomes(database, project, 7)
  const counted = await database.query(sql`
    select entry ->> 'version_number' as version_number, count(distinct product_id)::int as products, count(*)::int as writes,
           json_build_object('mean', round(avg(score_after - score_before), 2),
             'median', percentile_cont(0.5) within group (order by score_after - score_before)) as score_change,
           min(changed_at) as first_at, max(changed_at) as last_at
    from product_history, jsonb_each(provenance) as entries (field, entry)
    where project_id = ${project}
    group by 1 order by string_to_array(entry ->> 'version_number', '.')::int[]`)
  expect(outcomes).toEqual(counted.map((one) => ({ ...(one as object), kept_rate: 0, models: [] })))
})
