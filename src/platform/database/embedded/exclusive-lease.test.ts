import { expect, test } from 'vitest'
import { dataFolder } from '../../../../test/setup/temporary-folder.ts'
import { leaseExclusively } from './exclusive-lease.ts'
import { leaseEmbeddedServer } from './lease.ts'
import { writeMovedMarker } from './moved-marker.ts'
import { prepareServer } from './prepare-server.ts'

test('a process waits while another has exclusive use of the server, and is refused if the database was moved', async () => {
  const folder = dataFolder()
  const lease = await leaseExclusively(prepareServer(folder))
  const newcomer = leaseEmbeddedServer(folder).then(
    () => 'let in',
    (error) => error.message,
  )
  const waiting = "select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted"
  await expect.poll(async () => (await lease.client.query(waiting)).rows).toEqual([{ count: 1 }])
  await expect(leaseExclusively(prepareServer(folder))).rejects.toThrow(
    'a service or command is using the embedded',
  )
  const moved_at = new Date().toISOString()
  writeMovedMarker(folder, { id: '0', to: 'db.example/catalog', moved_at, is_complete: true })
  await lease.release()
  expect(await newcomer).toContain('was moved to db.example/catalog')
  await expect(lease.isHeld()).resolves.toBe(false)
})
