import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Icon } from '../parts/icons.tsx'
import { apiAccessQuery } from '../queries.ts'
import { strings } from './strings.ts'

/** Deliveries stop while the project has no API access. */
export function LockedNotice({ project }: { project: number }) {
  const { data } = useQuery(apiAccessQuery(project))
  if (data?.locked !== true) return null
  return (
    <Alert color="yellow" icon={<Icon name="lock" />} title={strings.locked.title}>
      {strings.locked.text}
    </Alert>
  )
}
