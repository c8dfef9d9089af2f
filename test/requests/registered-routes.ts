import { inject } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import type { Server } from '../../src/platform/http/server.ts'
import { createRuntime } from '../../src/runtime.ts'

export type RegisteredRoute = Server['routeTable'][number]

type Registered = { routes: RegisteredRoute[]; namedSchemas: object[] }

let registered: Promise<Registered> | undefined

/** Enumerated from the server, so that new routes are tested automatically. */
export function registeredRoutes(): Promise<Registered> {
  registered ??= enumerate()
  return registered
}

async function enumerate(): Promise<Registered> {
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: 1,
    statementTimeoutSeconds: 1,
  })
  const app = await buildApp({}, createRuntime({ database }))
  await app.ready()
  const namedSchemas = Object.values(app.getSchemas()) as object[]
  await app.close()
  await database.close()
  return { routes: app.routeTable, namedSchemas }
}
