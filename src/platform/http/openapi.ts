import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { TSchema, TSchemaOptions } from 'typebox'
import { Type } from 'typebox'
import { version } from '../version.ts'
import { allowNoBody } from './body/allow-no-body.ts'
import { examplesKeyword, finishDocument, nameKeyword, optionalKeyword } from './openapi-finish.ts'
import { introduction } from './openapi-introduction.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers that are documented but never serialized by Fastify, which would compile a serializer for each of them. */
    documentedResponses?: () => Record<number, object>
  }
}

/** The prefix that the document describes; the other serves the same. */
const describedPrefix = '/v2'

/** Routes about the service itself, which stand outside the prefixes. */
export const serviceTag = 'Service'

const tags = {
  Products:
    'The catalog: list, read, create, change, push and export products, their stock and their history',
  Proposals:
    'Changes of many products that somebody looks at before they are made, and that can be taken back',
  'Quality rules': 'What products are scored by: the nine rules of the service, or those of the project',
  Categories: 'What products are sorted by; a product names its categories by id or by name',
  Attributes:
    'What a project says of the attributes of its products: types, choices, limits, and what is required',
  Prompts:
    'Prompt templates with numbered versions that never change, labels that point at them, and rendering',
  Events: 'Every change in the order in which it was made, to be read on from a cursor, or as it comes',
  Webhooks: 'Addresses that events are posted to: signed, in order for each object, and tried again',
  Project: 'What the token acts on',
  [serviceTag]: 'The process itself: health, readiness and measurements, without a token',
}

/** Where a reference keeps the shape that it names. JSON does not show it, and a spread copies it. */
const namedShape = Symbol('named shape')

/** A named shape, shown once under components and referred to everywhere else. */
export function ref<Schema extends TSchema>(schema: Schema & { $id?: string }) {
  return Type.Unsafe<Type.Static<Schema>>({ $ref: `${schema.$id}#`, [namedShape]: schema })
}

/** Registers the named shapes that the routes refer to, as the routes are added. */
function registerShapes(app: FastifyInstance, sent: object): void {
  const known = new Set<object>()
  const register = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { [namedShape]: shape } = part as { [namedShape]?: object }
    if (shape !== undefined && !known.has(shape)) {
      known.add(shape)
      app.addSchema(shape)
      register(shape)
    }
    for (const inner of Object.values(part)) register(inner)
  }
  register(sent)
  app.addHook('onRoute', ({ schema }) => register([schema?.body, schema?.response]))
}

/** One of some words. Generators want the type said beside the values. */
export function OneOf<Words extends string[]>(words: readonly [...Words], options: TSchemaOptions = {}) {
  return Type.Enum(words, { type: 'string', ...options })
}

/** Describes the routes that are added from here on, and the requests that the service sends to others. */
export async function describeApi(app: FastifyInstance, sent: Record<string, object>): Promise<void> {
  registerShapes(app, sent)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Catalog Service',
        version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      servers: [
        { url: describedPrefix, description: 'Current version' },
        { url: '/api', description: 'The same, without a version' },
      ],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'API token of a project, `cat_…`' },
        },
      },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) =>
        typeof $id === 'string' ? $id : `shape-${index}`,
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...(schema?.body !== undefined && { body: withName(schema.body, mayBeLeftOut(route)) }),
        response: { ...(schema?.response as object), ...route.config?.documentedResponses?.() },
        hide: schema?.hide === true || url.startsWith('/api/'),
      } as typeof schema,
      url: url.startsWith(describedPrefix) ? url.slice(describedPrefix.length) : url,
    }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      for (const item of Object.values(openapiObject.paths ?? {})) {
        if (item?.get?.tags?.includes(serviceTag)) Object.assign(item, { servers: [{ url: '/' }] })
      }
      Object.assign(openapiObject, { webhooks: withComponents(sent) })
      finishDocument(openapiObject as unknown as Parameters<typeof finishDocument>[0])
      return openapiObject
    },
  })
}

/** @fastify/swagger drops a body's $id and moves its examples; under these names both reach the component in the end. */
function withName(body: unknown, isOptional: boolean): unknown {
  const { $id, examples, ...shape } = body as { $id?: string; examples?: unknown }
  if ($id === undefined) return body
  return {
    ...{ ...shape, $id, [nameKeyword]: $id, [examplesKeyword]: examples },
    ...(isOptional && { [optionalKeyword]: true }),
  }
}

/** References as the document writes them. */
function withComponents(sent: object): object {
  const written = (key: string, value: unknown) =>
    key === '$ref' ? `#/components/schemas/${String(value).replace('#', '')}` : value
  return JSON.parse(JSON.stringify(sent, written))
}

function mayBeLeftOut({ preValidation }: Pick<RouteOptions, 'preValidation'>): boolean {
  return [preValidation].flat().some((hook) => hook === allowNoBody)
}
