import { expect, inject, test } from 'vitest'
import { serve } from '../../../test/catalog-process.ts'
import { connectionUrl } from '../../../test/test-database.ts'

test('one scrape tells of all workers, whichever of them answers it', async () => {
  const metricsToken = 'metrics-token-of-the-operator'
  const extra = { CATALOG_METRICS_TOKEN: metricsToken, DATABASE_URL: connectionUrl(inject('connection')) }
  const { url, stderr, stop } = await serve(['--workers', '3', '--log-level', 'trace'], extra)
  const fresh = { connection: 'close' }
  for (let sent = 0; sent < 60; sent += 1) await fetch(`${url}/healthz`, { headers: fresh })
  const scrapes = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const authorization = `Bearer ${metricsToken}`
      const headers = { ...fresh, authorization, 'x-forwarded-for': '203.0.113.7' }
      return (await fetch(`${url}/metrics`, { headers })).text()
    }),
  )
  for (const text of scrapes) {
    expect(text).toContain('catalog_http_requests_total{method="GET",route="/healthz",status="200"} 60\n')
    expect(text).toContain('catalog_workers 3\n')
  }
  const starts = scrapes.map((text) => /^process_start_time_seconds (.+)$/m.exec(text)?.[1])
  expect(new Set(starts).size).toBe(1)
  await stop()
  expect(stderr()).toContain('/metrics')
  expect(stderr()).not.toContain(metricsToken)
})
