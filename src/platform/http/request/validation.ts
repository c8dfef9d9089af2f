import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { compileBody } from '../body/validate-body.ts'
import { Problem } from '../problems.ts'
import { readInteger } from '../query/query-values.ts'
import { compileQuery } from '../query/validate-query.ts'
import { pathHint } from './hints.ts'

/** Fastify calls this to validate each part of a request against the schema of its route. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart, url = '' }) => {
  // Headers are declared for the document only; the code that uses a header reads it.
  // A value would be merged with the headers again at each use.
  if (httpPart === 'headers') return () => true
  if (httpPart === 'body') return compileBody(schema)
  if (httpPart === 'querystring') return compileQuery(schema)
  return compilePath(schema, url)
}

/** An object with a malformed identifier does not exist: 404. */
function compilePath(
  schema: TSchema,
  url: string,
): (params: unknown) => { value: unknown } | { error: Problem } {
  const { properties } = schema as TSchema & { properties: Record<string, { type: string }> }
  return (params) => {
    const value: Record<string, unknown> = {}
    for (const [name, text] of Object.entries(params as Record<string, string>)) {
      value[name] = properties[name]?.type === 'integer' ? readInteger(text) : text
      if (value[name] === undefined || text.includes('\0'))
        return { error: new Problem('not_found', pathHint(url)) }
    }
    return { value }
  }
}
