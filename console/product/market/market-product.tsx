import { Alert, Anchor, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { labelIn } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { SaveBar } from '../../parts/forms/save-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import { WriteButton } from '../../prompt-runs/write/write-button.tsx'
import type { Market, ProductDetail } from '../../wire.ts'
import styles from '../product.module.css'
import { ProductLead } from '../product-lead.tsx'
import { useFollow } from '../product-link.tsx'
import { ProductMarketSwitch } from '../product-market-switch.tsx'
import { ProductSkeleton } from '../product-states.tsx'
import { strings as productStrings } from '../strings.ts'
import { MarketFields } from './market-fields.tsx'
import { strings } from './strings.ts'
import { useMarketForm, useMarketProduct } from './use-market-form.ts'

/** A product in a language or market. */
export function MarketProduct({ base, code }: { base: ProductDetail; code: string }) {
  const { markets, isLoading } = useMarkets()
  const query = useMarketProduct(base, code)
  const market = markets.find((one) => one.code === code)
  if (market === undefined && !isLoading) return <UnknownMarket base={base} />
  if (market === undefined || query.data === undefined) return <ProductSkeleton query={query} id={base.id} />
  return <MarketEditor base={base} product={query.data} market={market} markets={markets} />
}

function UnknownMarket({ base }: { base: ProductDetail }) {
  const follow = useFollow()
  return (
    <Page title={base.name} lead={<ProductLead product={base} />} actions={<ProductMarketSwitch />}>
      <Alert color="yellow" role="alert" title={strings.unknown.title}>
        {strings.unknown.text}{' '}
        <Anchor {...follow(`/projects/${base.project}/products/${base.id}`)}>{strings.unknown.base}</Anchor>
      </Alert>
    </Page>
  )
}

type Props = { base: ProductDetail; product: ProductDetail; market: Market; markets: readonly Market[] }

function MarketEditor(props: Props) {
  const { product, markets, market } = props
  const form = useMarketForm(props)
  const navigate = useNavigate({ from: '/projects/$projectId/products/$productId' })
  const { changes, isDirty, problem, theirs } = form
  useHotkeys([['mod+S', form.save, { preventDefault: true }]], [])
  const labels = [...changes.keys()].map((field) => labelIn(`views.${market.code}.${field}`, markets))
  return (
    <Page
      title={product.name}
      lead={<ProductLead product={product} />}
      actions={
        <>
          <ProductMarketSwitch />
          <WriteButton
            target={{
              project: product.project,
              count: 1,
              products: { products: [product.id] },
              market: market.code,
            }}
          />
        </>
      }
    >
      <Tabs
        value="fields"
        onChange={(next) =>
          next === 'history' &&
          void navigate({ search: (search) => ({ ...search, view: 'history' }), resetScroll: false })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="fields">{productStrings.page.product}</Tabs.Tab>
          <Tabs.Tab value="history">{productStrings.page.history}</Tabs.Tab>
        </Tabs.List>
        {problem !== undefined && (
          <div className={styles.problem}>
            <ProblemAlert
              error={problem}
              title={theirs.size > 0 ? strings.changedTitle : productStrings.page.notSaved}
            />
          </div>
        )}
        <Tabs.Panel value="fields" className={styles.panel ?? ''}>
          <MarketFields form={form} />
        </Tabs.Panel>
        {isDirty && (
          <SaveBar
            action={productStrings.page.save}
            changed={labels}
            isPending={form.isPending}
            save={form.save}
            discard={form.discard}
          />
        )}
      </Tabs>
      <LeaveDialog isDirty={isDirty || form.uploads.isRunning} isOfSearch />
    </Page>
  )
}
