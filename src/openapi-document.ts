import { buildApp } from './app.ts'
import { openDatabase } from './platform/database/database.ts'
import { createRuntime } from './runtime.ts'

/** The document that a running service serves, made without one: nothing here connects. */
export async function openApiDocument(): Promise<object> {
  const database = openDatabase({ connection: {}, poolSize: 1, statementTimeoutSeconds: 1 })
  const app = await buildApp({}, createRuntime({ database }))
  await app.ready()
  const document = app.swagger()
  await app.close()
  await database.close()
  return document
}
