import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService } from '../../../test/harness.ts'
import { applicationName } from '../../platform/database/connections/open-pool.ts'
import { isOlderRelease } from './older-release.ts'

test('the first view waits until no older release is connected', { tags: 'slow' }, async () => {
  const database = await ownDatabase('older')
  const service = await startTestService({}, database)
  const shop = await service.tenant()
  const define = () => shop.call('/v2/views/de', { method: 'PUT', body: { label: 'German' } })
  const older = new pg.Client({ ...database, application_name: `${applicationName} writes` })
  await older.connect()
  onTestFinished(() => older.end())
  const refused = await define()
  expect([refused.status, refused.body.code]).toEqual([409, 'older_release'])
  await older.query(`set application_name = '${applicationName} writes 9.0.0'`)
  expect((await define()).status).toBe(200)
})

test('a connection belongs to an older release if its name has none, or one before views', () => {
  const releases = ['', ' 0.3.9', ' 0.4.0', ' 0.4.1', ' 0.10.0', ' 1.0.0']
  expect(releases.map((release) => isOlderRelease(`catalog-service writes${release}`))).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ])
})
