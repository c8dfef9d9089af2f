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
    object: Type.String({ description: 'Kind of the changed object: the first word of the type' }),
    id: Type.Integer({ description: 'Identifier of the object' }),
    sku: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Current SKU, if the object is a product',
    }),
    version: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Version that the change created, if the object has versions',
    }),
    before: Fields(
      'The changed fields before the change; null if the object was created by it, or no longer exists',
    ),
    after: Fields(
      'The changed fields after the change (for stock: `delta`, `quantity` and `reason`); null if the object was deleted by it, or no longer exists',
    ),
  },
  closed,
)

export const EventSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique and permanent; a repeated event has the same id' }),
    cursor: Type.String({ description: 'Pass it as `after` to continue from this event' }),
    type: OneOf([...eventTypes.keys()]),
    timestamp: Type.String({ format: 'date-time', description: 'Time of the change' }),
    actor: Type.String({
      description: 'Who made the change: the name of the token, an email address, or another name',
    }),
    source: OneOf(['api', 'bulk', 'cli', 'console', 'service'], {
      description: 'Where the change came from',
    }),
    data: DataSchema,
  },
  { $id: 'Event', ...closed },
)
export type CatalogEvent = Omit<Type.Static<typeof EventSchema>, 'type'> & { type: EventType }

export const EventPageSchema = Type.Object(
  {
    results: Type.Array(ref(EventSchema)),
    cursor: Type.String({ description: 'Pass it as `after` to read the next page' }),
    head: Type.String({ description: 'Cursor of the last event; continue until `cursor` equals it' }),
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
