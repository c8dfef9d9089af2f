import type { ProductStatus } from '../wire.ts'
import { Tag } from './badges.tsx'

export const productStatuses: { status: ProductStatus; label: string; hint: string }[] = [
  { status: 'active', label: 'Active', hint: 'on sale' },
  { status: 'pending', label: 'Pending', hint: 'being prepared' },
  { status: 'inactive', label: 'Inactive', hint: 'paused' },
  { status: 'archived', label: 'Archived', hint: 'kept for the record' },
]

const tones = { active: 'accent', pending: 'yellow', inactive: 'gray', archived: 'gray' } as const

export function ProductStatusTag({ status }: { status: ProductStatus }) {
  const known = productStatuses.find((candidate) => candidate.status === status)
  return <Tag tone={tones[status]}>{known?.label ?? status}</Tag>
}
