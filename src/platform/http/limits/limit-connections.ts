import type { Server } from 'node:http'

/**
 * Above the limit, a new connection is closed at once, and so are idle connections: a client that holds connections without
 * using them does not block others for long.
 */
export function limitConnections(server: Server, most: number): void {
  server.maxConnections = most
  server.on('drop', () => server.closeIdleConnections())
}
