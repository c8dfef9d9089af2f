import type { FastifyRequest } from 'fastify'

/** Allows requests without a body. A body of null is validated, and rejected, like any other. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}
