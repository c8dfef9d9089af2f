import { Button } from '@mantine/core'
import type { FileFilter } from '../../src/console-api/media/media-files.schema.ts'
import { Empty } from '../parts/loaded.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ChooseFiles } from '../parts/uploads/choose-files.tsx'
import { strings } from './strings.ts'

type Props = { only: FileFilter | undefined; choose: (files: File[]) => void; showAll: () => void }

export function NoFiles({ only, choose, showAll }: Props) {
  const { canWrite } = usePermissions()
  if (only !== undefined)
    return (
      <Empty
        title={strings.empty[only]}
        action={
          <Button variant="default" size="xs" onClick={showAll}>
            {strings.empty.showAll}
          </Button>
        }
      >
        {strings.empty.filtered}
      </Empty>
    )
  return (
    <Empty title={strings.empty.title} action={canWrite && <ChooseFiles variant="default" choose={choose} />}>
      {canWrite ? strings.empty.text : strings.empty.textRead}
    </Empty>
  )
}
