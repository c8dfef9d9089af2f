import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { FileFilter, MediaFile } from '../../src/console-api/media/media-files.schema.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { Pager } from '../parts/lists/pager.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ChooseFiles } from '../parts/uploads/choose-files.tsx'
import { DropTarget } from '../parts/uploads/drop-target.tsx'
import { UploadStatus } from '../parts/uploads/upload-status.tsx'
import { useFileDrop } from '../parts/uploads/use-file-drop.ts'
import { useUploads } from '../parts/uploads/use-uploads.ts'
import { FileDetails } from './file-details.tsx'
import { FileFilters } from './file-filters.tsx'
import { FileGrid } from './file-grid.tsx'
import { MediaAccess } from './media-access.tsx'
import { NoFiles } from './no-files.tsx'
import { filesKey, filesQuery, filesShown } from './queries.ts'
import { StorageUsed } from './storage-used.tsx'
import { strings } from './strings.ts'

export type FilesSearch = { only?: FileFilter; page?: number; file?: string }

export function MediaPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { page = 1, only, file } = useSearch({ from: '/signed-in/projects/$projectId/media' })
  const navigate = useNavigate()
  const go = (search: FilesSearch) =>
    void navigate({
      to: '/projects/$projectId/media',
      params: { projectId: project.id },
      search,
      resetScroll: false,
    })
  const here = { ...(only && { only }), ...(page > 1 && { page }) }
  const query = useQuery(filesQuery(project.id, only, page))
  const { canWrite } = usePermissions()
  const queries = useQueryClient()
  const uploads = useUploads(project.id, () => {
    void queries.invalidateQueries({ queryKey: filesKey(project.id) })
  })
  const { isOver } = useFileDrop(canWrite, uploads.add)
  const opened = query.data?.results.find(({ id }) => id === file)
  return (
    <Page
      title={strings.title}
      lead={canWrite ? strings.lead : strings.leadRead}
      actions={canWrite && <ChooseFiles choose={uploads.add} />}
    >
      <StorageUsed project={project.id} />
      <MediaAccess project={project} />
      <Card label={strings.files} flush>
        <FileFilters project={project.id} only={only} />
        <DropTarget isOver={isOver} text={strings.drop} flush>
          <Loaded query={query} rows={8}>
            {(data) =>
              data.count + uploads.uploads.length === 0 ? (
                <NoFiles only={only} choose={uploads.add} showAll={() => go({})} />
              ) : (
                <>
                  <FileGrid
                    files={data.results}
                    uploads={uploads}
                    isStale={query.isPlaceholderData}
                    open={({ id }: MediaFile) => go({ ...here, file: id })}
                  />
                  <Pager
                    page={page}
                    pageSize={filesShown}
                    data={data}
                    go={(to) => go({ ...here, page: to })}
                  />
                </>
              )
            }
          </Loaded>
        </DropTarget>
      </Card>
      {opened !== undefined && <FileDetails project={project.id} file={opened} close={() => go(here)} />}
      <UploadStatus uploads={uploads} />
      <LeaveDialog isDirty={uploads.isRunning} />
    </Page>
  )
}
