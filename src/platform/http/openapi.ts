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
    /** Responses that are documented but never serialized by Fastify, which would compile a serializer for each. */
    documentedResponses?: () => Record<number, object>
  }
}

/** The prefix that the document describes; the other prefix serves the same routes. */
const describedPrefix = '/v2'

/** Routes about the service itself, which have no prefix. */
export const serviceTag = 'Service'

const tags = {
  Products: 'Read and write products, one by one or in bulk, adjust stock, and read or revert the history',
  Proposals: 'Propose changes to many products, review them line by line, then apply, discard or revert them',
  'Quality rules':
    'Read, preview and replace the rules for the quality score. A project starts with nine default rules',
  Assets: 'Upload images, documents and videos, and read their permanent URLs',
  Categories: 'Manage the tree of categories that products belong to',
  Attributes:
    'Define product attributes: their types, allowed values and limits, and where they are required',
  Views: 'Define languages, channels and price lists, and count missing and stale values in them',
  Prompts: 'Manage prompt templates, their numbered versions and their labels, and render them for a product',
  Runs: 'Write product content with a prompt and an AI model: one proposal line per product',
  Events: 'Read every change to the project in order, in pages or as a live stream',
  Webhooks: 'Deliver signed events to your endpoints, with retries, in order for each object',
  'AI providers': 'Connect the AI models that run your prompts, and limit what they cost',
  Project: 'Get the project that the token belongs to',
  [serviceTag]: 'Check the health of the service and read its metrics, without a project token',
}

/** Stores the schema that a reference names. JSON.stringify ignores the symbol, and a spread copies it. */
const namedShape = Symbol('named shape')

/** A named schema, declared once under components and referenced everywhere else. */
export function ref<Schema extends TSchema>(schema: Schema & { $id?: string }) {
  return Type.Unsafe<Type.Static<Schema>>({ $ref: `${schema.$id}#`, [namedShape]: schema })
}

/** Registers the named schemas that routes refer to, as the routes are added. */
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

/** One of several words. Generators need the type in addition to the values. */
export function OneOf<Words extends string[]>(words: readonly [...Words], options: TSchemaOptions = {}) {
  return Type.Enum(words, { type: 'string', ...options })
}

/** Describes all routes that are added after this call, and the requests that the service sends to webhooks. */
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
        { url: '/api', description: 'The same API without a version' },
      ],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'Project API token, `cat_…`' },
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

/** @fastify/swagger drops a body's $id and moves its examples. Under these names, both reach the component. */
function withName(body: unknown, isOptional: boolean): unknown {
  const { $id, examples, ...shape } = body as { $id?: string; examples?: unknown }
  if ($id === undefined) return body
  return {
    ...{ ...shape, $id, [nameKeyword]: $id, [examplesKeyword]: examples },
    ...(isOptional && { [optionalKeyword]: true }),
  }
}

/** References in the format of the document. */
function withComponents(sent: object): object {
  const written = (key: string, value: unknown) =>
    key === '$ref' ? `#/components/schemas/${String(value).replace('#', '')}` : value
  return JSON.parse(JSON.stringify(sent, written))
}

function mayBeLeftOut({ preValidation }: Pick<RouteOptions, 'preValidation'>): boolean {
  return [preValidation].flat().some((hook) => hook === allowNoBody)
}
