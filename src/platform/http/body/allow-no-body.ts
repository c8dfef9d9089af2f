import type { FastifyRequest } from 'fastify'

/** A body that says nothing may be left out. One that says null is checked, and refused, as any other. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}
