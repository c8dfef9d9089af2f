import { beforeAll, describe, expect, test } from 'vitest'
import { type EventType, eventTypes } from '../src/model/events/event-types.ts'
import { sharedTestService, type Tenant } from './harness.ts'

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: string[]
  default?: unknown
}
type Body = { required?: boolean; content: Record<string, { schema: Schema }> }
type Operation = { operationId: string; requestBody?: Body }
let document: {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}
let shop: Tenant
beforeAll(async () => {
  const service = await sharedTestService()
  shop = await service.tenant()
  document = JSON.parse((await service.call('/openapi.json')).text)
})

const schemaOf = ({ $ref = '' }: Schema) => document.components.schemas[$ref.split('/').at(-1) ?? '']

/** Every operation that takes a body. */
function* operations(): Generator<{ method: string; path: string; body: Body }> {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { requestBody: body }] of Object.entries(item)) if (body) yield { method, path, body }
}

describe('what client generators read', () => {
  test('a body is required exactly if a request without one is rejected', async () => {
    const rejections = ['invalid_body', 'unsupported_media_type', 'malformed_json']
    for (const { method, path, body } of operations()) {
      const address = `/v2${path.replaceAll(/\{\w+\}/g, '987654321')}`
      const response = await shop.call(address, { method: method.toUpperCase() })
      const isRejected = rejections.includes(response.body?.code)
      expect([method, path, isRejected]).toEqual([method, path, body.required === true])
    }
  })

  test('no body field has a default, which some generators take for a required field', () => {
    const withDefault = (schema: Schema, pointer: string): string[] => [
      ...('default' in schema ? [pointer] : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
        withDefault(one, `${pointer}/${name}`),
      ),
      ...(schema.items === undefined ? [] : withDefault(schema.items, `${pointer}/*`)),
    ]
    const found = [...operations()].flatMap(({ path, body }) =>
      Object.values(body.content).flatMap(({ schema }) => withDefault(schemaOf(schema) ?? schema, path)),
    )
    expect(found).toEqual([])
  })

  test('webhook requests are described with every event type', () => {
    const { post } = document.webhooks['event'] ?? { post: undefined }
    const schema = post?.requestBody?.content['application/json']?.schema ?? {}
    const types = schemaOf(schema)?.properties?.['type']?.enum ?? []
    expect(new Set(types)).toEqual(
      new Set<EventType | 'webhook.test'>([...eventTypes.keys(), 'webhook.test']),
    )
  })
})
