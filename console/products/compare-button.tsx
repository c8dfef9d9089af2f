import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { maxCompared } from '../compare/search.ts'
import { Icon } from '../parts/icons.tsx'
import { useKeys } from '../parts/use-keys.ts'
import type { Selection } from './selection.ts'
import { strings } from './strings.ts'

type Props = { project: number; selection: Selection }

/** Opens the selected products side by side, if there are 2 to 4. */
export function CompareButton({ project, selection: { isAll, ids } }: Props) {
  const router = useRouter()
  const isPossible = !isAll && ids.size >= 2 && ids.size <= maxCompared
  const compare = () => router.history.push(`/projects/${project}/compare?ids=${[...ids].join(',')}`)
  useKeys({ c: () => isPossible && compare() })
  if (!isPossible) return null
  return (
    <Button variant="default" size="xs" leftSection={<Icon name="columns" size={15} />} onClick={compare}>
      {strings.selection.compare}
    </Button>
  )
}
