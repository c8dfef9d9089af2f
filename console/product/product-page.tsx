import { Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { ProblemError } from '../network.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { lazyPart } from '../routes/lazy-page.ts'
import type { ProductDetail } from '../wire.ts'
import { ProductFields } from './cards/product-fields.tsx'
import { ConflictDialog } from './draft/conflict-dialog.tsx'
import { useProductForm } from './draft/use-product-form.ts'
import { History } from './history/history.tsx'
import { ListNavigation } from './list-navigation.tsx'
import styles from './product.module.css'
import { ProductActions } from './product-actions.tsx'
import { ProductLead } from './product-lead.tsx'
import { ProductMarketSwitch } from './product-market-switch.tsx'
import { ChangedNotice, MissingProduct, ProductSkeleton } from './product-states.tsx'
import { productQuery } from './queries.ts'
import { ProductReading } from './reading/product-reading.tsx'
import { strings } from './strings.ts'

const route = '/signed-in/projects/$projectId/products/$productId'

const loadMarket = lazyPart(() => import('./market/market-product.tsx'))
const MarketProduct = lazy(async () => ({ default: (await loadMarket()).MarketProduct }))

export function ProductPage() {
  const { projectId, productId } = useParams({ from: route })
  const { from, view, market } = useSearch({ from: route })
  const query = useQuery(productQuery(projectId, productId))
  if (query.error instanceof ProblemError && query.error.status === 404)
    return <MissingProduct project={projectId} id={productId} />
  return (
    <>
      <ListNavigation project={projectId} id={productId} from={from} market={market} />
      {query.data === undefined ? (
        <ProductSkeleton query={query} id={productId} />
      ) : market !== undefined && view === undefined ? (
        <Suspense fallback={<ProductSkeleton query={query} id={productId} />}>
          <MarketProduct key={`${productId} ${market}`} base={query.data} code={market} />
        </Suspense>
      ) : (
        <Editor key={productId} project={projectId} live={query.data} />
      )}
    </>
  )
}

/** A product and its history. Unsaved changes survive switching between them. */
function Editor({ project, live }: { project: number; live: ProductDetail }) {
  const { view = 'fields', page = 1 } = useSearch({ from: route })
  const navigate = useNavigate({ from: '/projects/$projectId/products/$productId' })
  const form = useProductForm(project, live)
  const { canWrite } = usePermissions()
  const { base, draft, fieldErrors, change, isDirty } = form
  useHotkeys([['mod+S', form.save, { preventDefault: true }]], [])
  const see = (next: { view?: 'history'; page?: number }) =>
    void navigate({
      search: ({ from, market }) => ({
        ...(from !== undefined && { from }),
        ...(market !== undefined && { market }),
        ...next,
      }),
      resetScroll: false,
    })
  const actions = (
    <>
      <ProductMarketSwitch />
      <ProductActions form={form} />
    </>
  )
  return (
    <Page title={base.name} lead={<ProductLead product={base} />} actions={actions}>
      <Tabs
        value={view}
        onChange={(next) => see(next === 'history' ? { view: 'history' } : {})}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="fields">{strings.page.product}</Tabs.Tab>
          <Tabs.Tab value="history">{strings.page.history}</Tabs.Tab>
        </Tabs.List>
        {form.problem !== undefined && (
          <div className={styles.problem}>
            <ProblemAlert error={form.problem} title={strings.page.notSaved} />
          </div>
        )}
        {isDirty && live.version !== base.version && <ChangedNotice live={live} />}
        <Tabs.Panel value="fields" className={styles.panel ?? ''}>
          {canWrite ? (
            <ProductFields
              {...{ draft, fieldErrors, change, project }}
              uploads={form.uploads}
              currency={base.currency}
              product={live.version === base.version ? live : base}
            />
          ) : (
            <ProductReading product={live} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="history" className={styles.panel ?? ''}>
          <History
            form={form}
            page={page}
            go={(next) => see({ view: 'history', ...(next > 1 && { page: next }) })}
          />
        </Tabs.Panel>
        {isDirty && (
          <SaveBar
            action={strings.page.save}
            changed={form.changed.map(fieldLabel)}
            isPending={form.isPending}
            save={form.save}
            discard={form.discard}
          />
        )}
      </Tabs>
      {form.theirs !== undefined && (
        <ConflictDialog
          base={form.before}
          theirs={form.theirs}
          mine={draft}
          save={form.merge}
          close={form.keepEditing}
        />
      )}
      <LeaveDialog
        isDirty={isDirty || form.uploads.isRunning}
        isKept={({ market, view }) => market === undefined || view === 'history'}
      />
    </Page>
  )
}
