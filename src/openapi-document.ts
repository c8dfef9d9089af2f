import { buildApp } from './app.ts'
import { openDatabase } from './database/database.ts'
import { makeRateLimiter, rateLimitMemory } from './http/limits/rate-limit.ts'

/** The document that a running service serves, made without one: nothing here connects. */
export async function openApiDocument(): Promise<object> {
  const database = openDatabase({ connection: {}, poolSize: 1, statementTimeoutSeconds: 1 })
  const rateLimiter = makeRateLimiter(rateLimitMemory())
  const app = await buildApp({ config: { logLevel: 'silent' }, database, rateLimiter })
  await app.ready()
  const document = app.swagger()
  await app.close()
  await database.close()
  return document
}
