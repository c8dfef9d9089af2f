import { inject } from 'vitest'
import { buildApp } from '../src/app.ts'
import { openDatabase } from '../src/database/database.ts'
import type { Server } from '../src/http/server.ts'
import { makeRuntime } from '../src/runtime.ts'

export type RegisteredRoute = Server['routeTable'][number]

/** Enumerated from the server itself: a route that is added is tested from its first day. */
export async function registeredRoutes(): Promise<{ routes: RegisteredRoute[]; namedShapes: object[] }> {
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: 1,
    statementTimeoutSeconds: 1,
  })
  const app = await buildApp({}, makeRuntime({ database }))
  await app.ready()
  const registered = { routes: app.routeTable, namedShapes: Object.values(app.getSchemas()) as object[] }
  await app.close()
  await database.close()
  return registered
}

/** For the names of tests. */
export function named<Route extends RegisteredRoute>(routes: Route[]) {
  return routes.map((route) => [`${route.method} ${route.url}`, route] as const)
}
