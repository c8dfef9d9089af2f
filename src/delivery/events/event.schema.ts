import { Type } from 'typebox'
import { type EventType, eventTypes } from '../../model/events/event-types.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'

const Fields = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  })

const DataSchema = Type.Object(
  {
    object: Type.String({ description: 'What changed: the first word of the type' }),
    id: Type.Integer({ description: 'Its identifier' }),
    sku: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Of a product: the SKU that it has now',
    }),
    version: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The version that the change made, where the object has versions',
    }),
    before: Fields(
      'The changed fields as they were; null for what was not there, and where the object is gone',
    ),
    after: Fields(
      'The changed fields as they became; of stock `delta`, `quantity` and `reason`; null for what was deleted, and where the object is gone',
    ),
  },
  closed,
)

export const EventSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique for ever; what comes twice has the same' }),
    cursor: Type.String({ description: 'Read on from here with after' }),
    type: OneOf([...eventTypes.keys()]),
    timestamp: Type.String({ format: 'date-time', description: 'When it was changed' }),
    actor: Type.String({ description: 'Name of the token, or who else' }),
    source: OneOf(['api', 'bulk', 'cli', 'console', 'service'], { description: 'Which way in' }),
    data: DataSchema,
  },
  { $id: 'Event', ...closed },
)
export type CatalogEvent = Omit<Type.Static<typeof EventSchema>, 'type'> & { type: EventType }

export const EventPageSchema = Type.Object(
  {
    results: Type.Array(ref(EventSchema)),
    cursor: Type.String({ description: 'How far was looked: read on from here with after' }),
    head: Type.String({ description: 'The last event there is; read on until cursor is the same' }),
  },
  {
    $id: 'EventPage',
    ...closed,
    examples: [
      {
        results: [
          {
            id: 'evt_8f14e45fceea467fb3d1c1f0a5d2b7c9_1',
            cursor: '5d41402a.2.8f14e45f.1',
            type: 'product.stock_changed',
            timestamp: '2026-01-31T08:15:30.000Z',
            actor: 'API client',
            source: 'api',
            data: {
              object: 'product',
              id: 1,
              sku: 'MUG-300-SAND',
              version: null,
              before: null,
              after: { delta: -2, quantity: 38, reason: 'Sold at the counter' },
            },
          },
        ],
        cursor: '5d41402a.2.8f14e45f.1',
        head: '5d41402a.3.7c9e6679.1',
      },
    ],
  },
)
