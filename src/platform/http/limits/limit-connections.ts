import type { Server } from 'node:http'

/**
 * Over the limit a new connection is closed at once, and those that merely wait for a next request are closed with it: whoever
 * holds connections without using them keeps nobody out for long.
 */
export function limitConnections(server: Server, most: number): void {
  server.maxConnections = most
  server.on('drop', () => server.closeIdleConnections())
}
