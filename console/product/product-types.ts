import type { ProductType } from '../wire.ts'

export const productTypes: { value: ProductType; label: string }[] = [
  { value: 'simple', label: 'Simple' },
  { value: 'configurable', label: 'Configurable: has variants' },
  { value: 'virtual', label: 'Virtual: nothing to ship' },
  { value: 'bundle', label: 'Bundle: sold together' },
  { value: 'grouped', label: 'Grouped: shown together' },
]
