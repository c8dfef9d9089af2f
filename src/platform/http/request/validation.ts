import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { compileBody } from '../body/validate-body.ts'
import { Problem } from '../problems.ts'
import { readInteger } from '../query/query-values.ts'
import { compileQuery } from '../query/validate-query.ts'
import { pathHint } from './hints.ts'

/** What Fastify calls to check each part of a request against the schema that its route declares. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart, url = '' }) => {
  // Declared for the document; whoever heeds a header reads it.
  if (httpPart === 'headers') return (headers) => ({ value: headers })
  if (httpPart === 'body') return compileBody(schema)
  if (httpPart === 'querystring') return compileQuery(schema)
  return compilePath(schema, url)
}

/** A malformed identifier in a path names nothing: 404, like any other thing that does not exist. */
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
