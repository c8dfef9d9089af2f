import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { socketsWithoutTimeout } from '../client-error.ts'

/** Disables the server's time limits, which are for small requests, while a long request runs. */
export async function withoutTimeout<Result>(
  { raw: { socket } }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  // A request from inside the process has no connection, and so no time limit of the server.
  if (!(socket instanceof Socket)) return work()
  const usualTimeout = socket.timeout ?? 0
  socketsWithoutTimeout.add(socket)
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    socketsWithoutTimeout.delete(socket)
    socket.setTimeout(usualTimeout)
  }
}
