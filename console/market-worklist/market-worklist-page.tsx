import { Alert, Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useMarkets } from '../markets/use-markets.ts'
import { numberText } from '../parts/format/number-text.ts'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { useMarketProduct } from '../product/market/use-market-form.ts'
import { useFollow } from '../product/product-link.tsx'
import { productQuery } from '../product/queries.ts'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import type { Market, ProductDetail } from '../wire.ts'
import { type Work, workQuery } from '../worklist/work-query.ts'
import styles from '../worklist/worklist.module.css'
import { WorklistSkeleton } from '../worklist/worklist-states.tsx'
import { EndOfList } from './end-of-list.tsx'
import { MarketItem } from './market-item.tsx'
import { type Kind, type Position, useMarketPosition } from './position.ts'
import { strings } from './strings.ts'

/** Goes through the products with missing or outdated values in a language or market, one by one. */
export function MarketWorklistPage() {
  const position = useMarketPosition()
  const follow = useFollow()
  const { markets, isLoading } = useMarkets()
  const market = markets.find(({ code }) => code === position.code)
  if (market === undefined)
    return (
      <Page title={strings.title(position.code)}>
        {isLoading ? (
          <WorklistSkeleton />
        ) : (
          <Alert color="yellow" role="alert" title={strings.unknownTitle}>
            {strings.unknownText}{' '}
            <Anchor {...follow(`/projects/${position.project}/settings/markets`)}>{strings.markets}</Anchor>
          </Alert>
        )}
      </Page>
    )
  return (
    <Page title={strings.title(market.label)} lead={strings.lead}>
      {market.marked === null ? (
        <Worklist position={position} market={market} markets={markets} />
      ) : (
        <Alert color="gray" role="status" title={strings.checkingTitle}>
          {strings.checking(numberText(market.marked.done), numberText(market.marked.total))}
        </Alert>
      )}
    </Page>
  )
}

type Props = { position: Position; market: Market; markets: readonly Market[] }

const kinds: { value: Kind; label: string }[] = [
  { value: 'missing', label: strings.tabs.missing },
  { value: 'outdated', label: strings.tabs.outdated },
]

function Worklist({ position, market, markets }: Props) {
  const { project, query, kind, skipped, choose } = position
  const work = useQuery(workQuery(project, query, skipped))
  return (
    <>
      <div className={styles.progress}>
        <SegmentedControl
          aria-label={strings.tabs.label}
          data={kinds}
          value={kind}
          onChange={(next) => choose(next as Kind)}
        />
        <Progress position={position} work={work.data} />
        {(work.data?.count ?? 0) > 0 && (
          <WriteButton
            target={{
              project,
              count: work.data?.count ?? 0,
              products: { filter: query },
              market: market.code,
              field: market.requires[0],
            }}
            size="xs"
          />
        )}
      </div>
      {work.error !== null ? (
        <ProblemAlert error={work.error} retry={() => work.refetch()} />
      ) : work.data === undefined ? (
        <WorklistSkeleton />
      ) : (
        <Products
          key={query}
          {...{ position, market, markets }}
          work={{ data: work.data, isFetching: work.isFetching }}
        />
      )}
    </>
  )
}

function Progress({ position: { skipped, listUrl }, work }: { position: Position; work: Work | undefined }) {
  const follow = useFollow()
  return (
    <span>
      <span role="status">
        {work !== undefined && work.count > 0 && (
          <>
            <strong>{strings.left(Math.max(0, work.count - skipped))}</strong>
            {skipped > 0 && strings.skipped(Math.min(skipped, work.count))}
          </>
        )}
      </span>{' '}
      <Anchor {...follow(listUrl)}>{strings.list}</Anchor>
    </span>
  )
}

type ProductsProps = Props & { work: { data: Work; isFetching: boolean } }

function Products({ position, market, markets, work }: ProductsProps) {
  const { project, query, skipped, goTo } = position
  const { canWrite } = usePermissions()
  const [held, setHeld] = useState<{ id: number; skipped: number }>()
  // If another user completes the product, it stays on screen until the user saves or skips it.
  const id = held?.skipped === skipped ? held.id : work.data.id
  const hold = useCallback(
    (isHeld: boolean) => setHeld(isHeld && id !== null ? { id, skipped } : undefined),
    [id, skipped],
  )
  const base = useQuery({ ...productQuery(project, id ?? 0), enabled: id !== null })
  useNext(position, work.data, id)
  if (!canWrite)
    return (
      <Alert color="gray" title={strings.readOnlyTitle}>
        {strings.readOnlyText}
      </Alert>
    )
  if (id === null) return <EndOfList position={position} market={market} count={work.data.count} />
  if (base.data === undefined)
    return base.error === null ? (
      <WorklistSkeleton />
    ) : (
      <ProblemAlert error={base.error} retry={() => base.refetch()} />
    )
  return (
    <LoadedItem
      key={`${query} ${id}`}
      {...{ position, market, markets, hold }}
      base={base.data}
      isMoving={work.isFetching || base.isFetching}
      skip={() => goTo(skipped + 1)}
    />
  )
}

type ItemProps = Props & {
  base: ProductDetail
  isMoving: boolean
  skip: () => void
  hold: (isHeld: boolean) => void
}

function LoadedItem(props: ItemProps) {
  const query = useMarketProduct(props.base, props.market.code)
  if (query.data === undefined)
    return query.error === null ? (
      <WorklistSkeleton />
    ) : (
      <ProblemAlert error={query.error} retry={() => query.refetch()} />
    )
  return <MarketItem {...props} product={query.data} />
}

/** Prefetches the next product. */
function useNext({ project, query, skipped }: Position, { count }: Work, id: number | null): void {
  const isThere = id !== null && count > skipped + 1
  const next = useQuery({ ...workQuery(project, query, skipped + 1), enabled: isThere }).data?.id ?? null
  useQuery({ ...productQuery(project, next ?? 0), enabled: isThere && next !== null })
}
