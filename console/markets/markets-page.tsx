import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouteContext, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { sessionQuery } from '../queries.ts'
import type { Market } from '../wire.ts'
import { DeleteMarket } from './delete-market.tsx'
import { type MarketAction, marketColumns } from './market-columns.tsx'
import { MarketDialog } from './market-dialog.tsx'
import { marketsQuery } from './market-queries.ts'
import { strings } from './strings.ts'

type Begun = { action: 'add' } | { action: MarketAction; market: Market }

/** The languages and markets of a project. Managers define them. */
export function MarketsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { canManage } = usePermissions()
  const query = useQuery(marketsQuery(project.id))
  const [begun, setBegun] = useState<Begun>()
  const refresh = useRefresh(project.id)
  const close = () => setBegun(undefined)
  const report = async (message: string) => {
    await refresh()
    notifySuccess(message)
    close()
  }
  const props = { project: project.id, markets: query.data ?? [], close }
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead}
      actions={
        canManage && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            disabled={query.data === undefined}
            onClick={() => setBegun({ action: 'add' })}
          >
            {strings.page.add}
          </Button>
        )
      }
    >
      <Card label={strings.page.label} flush>
        <Loaded query={query}>
          {(markets) =>
            markets.length === 0 ? (
              <Empty title={strings.page.emptyTitle}>
                {canManage ? strings.page.empty : strings.page.emptyRead}
              </Empty>
            ) : (
              <DataTable
                label={strings.page.title}
                columns={marketColumns({
                  project: project.id,
                  markets,
                  begin: canManage ? (market, action) => setBegun({ market, action }) : undefined,
                })}
                rows={markets}
                rowId={({ code }) => code}
              />
            )
          }
        </Loaded>
      </Card>
      {begun?.action === 'add' && (
        <MarketDialog {...props} done={({ label }) => report(strings.form.added(label))} />
      )}
      {begun?.action === 'edit' && (
        <MarketDialog
          {...props}
          market={begun.market}
          done={({ label }) => report(strings.form.saved(label))}
        />
      )}
      {begun?.action === 'delete' && (
        <DeleteMarket
          {...props}
          market={begun.market}
          done={() => report(strings.delete.deleted(begun.market.label))}
        />
      )}
    </Page>
  )
}

/** Pages read from the session whether the project has languages or markets. */
function useRefresh(project: number) {
  const queries = useQueryClient()
  const router = useRouter()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['project', project] }),
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
    await router.invalidate()
  }
}
