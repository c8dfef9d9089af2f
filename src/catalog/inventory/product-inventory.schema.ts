import { Type } from 'typebox'
import { productLimits } from '../../model/limits/products.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { NameSchema } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Source = OneOf(['api', 'bulk', 'cli', 'console'], { description: 'How the change was made' })

export const StockAdjustmentSchema = Type.Object(
  {
    delta: Type.Integer({
      minimum: -productLimits.stock,
      maximum: productLimits.stock,
      description: 'Number to add to the quantity',
    }),
    reason: NameSchema,
  },
  { $id: 'StockAdjustment', ...closed, examples: [{ delta: -2, reason: 'Sold at the counter' }] },
)
export type StockAdjustment = Type.Static<typeof StockAdjustmentSchema>

const StoredAdjustmentSchema = Type.Object(
  {
    id: Type.Integer(),
    delta: Type.Integer(),
    quantity: Type.Integer({ description: 'Quantity after the adjustment' }),
    reason: Type.String({ description: '`set` if a product write set the quantity' }),
    actor: Type.String(),
    source: Source,
    created_at: Timestamp,
  },
  { $id: 'InventoryAdjustment', ...closed },
)
export type StoredAdjustment = Type.Static<typeof StoredAdjustmentSchema>
export const StoredAdjustmentsSchema = PageOf(StoredAdjustmentSchema, 'InventoryAdjustments', {
  id: 1,
  delta: -2,
  quantity: 38,
  reason: 'Sold at the counter',
  actor: 'API client',
  source: 'api',
  created_at: '2026-01-31T08:15:30.000Z',
})

export const AdjustmentsQuerySchema = Type.Object(pageParameters)
