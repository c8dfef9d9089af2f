import type { ProductStatus } from '../wire.ts'
import { Tag } from './badges.tsx'
import { strings } from './strings.ts'

export const productStatuses: { status: ProductStatus; label: string; hint: string }[] = [
  { status: 'active', ...strings.productStatus.active },
  { status: 'pending', ...strings.productStatus.pending },
  { status: 'inactive', ...strings.productStatus.inactive },
  { status: 'archived', ...strings.productStatus.archived },
]

const tones = { active: 'accent', pending: 'yellow', inactive: 'gray', archived: 'gray' } as const

export function ProductStatusTag({ status }: { status: ProductStatus }) {
  const known = productStatuses.find((candidate) => candidate.status === status)
  return <Tag tone={tones[status]}>{known?.label ?? status}</Tag>
}
