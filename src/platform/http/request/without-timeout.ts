import type { FastifyRequest } from 'fastify'
import { socketsWithoutTimeout } from '../client-error.ts'

/** Keeps the connection of a request that takes longer than the limits of the server, which are for small ones. */
export async function withoutTimeout<Result>(
  { raw: { socket } }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
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
