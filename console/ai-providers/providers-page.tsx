import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { isolate } from '../parts/format/isolate.ts'
import { Icon } from '../parts/icons.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { WaysToConnect } from './no-provider.tsx'
import { type ProviderAction, ProviderActionDialog } from './provider-actions.tsx'
import { providerColumns } from './provider-columns.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { providersKey, providersQuery } from './queries.ts'
import { strings } from './strings.ts'

export function ProvidersPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const queries = useQueryClient()
  const { canManage } = usePermissions()
  const [isConnecting, dialog] = useDisclosure(false)
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead(isolate(project.name))}
      actions={
        canManage && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
            {strings.page.connect}
          </Button>
        )
      }
    >
      {canManage ? (
        <Providers project={project.id} />
      ) : (
        <Card title={strings.noPermission.title}>{strings.noPermission.text}</Card>
      )}
      {isConnecting && (
        <ProviderDialog
          project={project.id}
          done={({ name }) => {
            void queries.invalidateQueries({ queryKey: providersKey(project.id) })
            notifySuccess(strings.form.connected(name))
            dialog.close()
          }}
          close={dialog.close}
        />
      )}
    </Page>
  )
}

function Providers({ project }: { project: number }) {
  const query = useQuery(providersQuery(project))
  const [begun, setBegun] = useState<{ name: string; action: ProviderAction }>()
  const chosen = query.data?.results.find(({ name }) => name === begun?.name)
  if (query.data?.count === 0)
    return (
      <Card title={strings.page.empty} lead={strings.none.manager}>
        <WaysToConnect />
      </Card>
    )
  return (
    <>
      <Card label={strings.page.label} flush>
        <Loaded query={query}>
          {({ results }) => (
            <DataTable
              label={strings.page.title}
              columns={providerColumns(({ name }, action) => setBegun({ name, action }))}
              rows={results}
              rowId={({ name }) => name}
            />
          )}
        </Loaded>
      </Card>
      {chosen !== undefined && begun !== undefined && (
        <ProviderActionDialog
          project={project}
          provider={chosen}
          action={begun.action}
          close={() => setBegun(undefined)}
        />
      )}
    </>
  )
}
