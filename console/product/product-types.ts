import type { ProductType } from '../wire.ts'
import { strings } from './strings.ts'

export const productTypes: { value: ProductType; label: string }[] = [
  { value: 'simple', label: strings.types.simple },
  { value: 'configurable', label: strings.types.configurable },
  { value: 'virtual', label: strings.types.virtual },
  { value: 'bundle', label: strings.types.bundle },
  { value: 'grouped', label: strings.types.grouped },
]
