import type { FastifyRequest } from 'fastify'
import { patientSockets } from '../client-error.ts'

/** Keeps the connection of a request that takes longer than the limits of the server, which are for small ones. */
export async function withoutTimeout<Result>(
  { raw: { socket } }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const usualTimeout = socket.timeout ?? 0
  patientSockets.add(socket)
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    patientSockets.delete(socket)
    socket.setTimeout(usualTimeout)
  }
}
