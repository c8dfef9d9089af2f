import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Problem } from '../problems.ts'
import { readRestIfRejected } from './slow-bodies.ts'

test('the rest of a rejected body is discarded also if the request came from inside the process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post('/', ({ raw }) =>
    readRestIfRejected(raw, async () => {
      throw new Problem('too_many_proposals')
    }),
  )
  const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: '[{"sku":"A"}]' })
  expect(statusCode).toBeGreaterThanOrEqual(400)
  // Would throw outside any request, and so end the process.
  vi.runAllTimers()
})
