import type { FastifyRequest } from 'fastify'

/** A body that says nothing may be left out. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}
