import { Alert, Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMarkets } from '../markets/use-markets.ts'
import { numberText } from '../parts/format/number-text.ts'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { useMarketProduct } from '../product/market/use-market-form.ts'
import { useFollow } from '../product/product-link.tsx'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import type { Market } from '../wire.ts'
import { workQuery } from '../worklist/work-query.ts'
import { WorkProgress, type WorkStep, WorkSteps } from '../worklist/work-steps.tsx'
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
        <span>
          <WorkProgress position={position} work={work.data} />
        </span>
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
        <WorkSteps
          key={query}
          position={position}
          work={{ data: work.data, isFetching: work.isFetching }}
          readOnlyText={strings.readOnlyText}
          end={<EndOfList position={position} market={market} count={work.data.count} />}
        >
          {(step) => <LoadedItem {...{ position, market, markets, step }} />}
        </WorkSteps>
      )}
    </>
  )
}

type ItemProps = Props & { step: WorkStep }

/** Also reads the product in the language or market. */
function LoadedItem({ step, ...props }: ItemProps) {
  const query = useMarketProduct(step.live, props.market.code)
  if (query.data === undefined)
    return query.error === null ? (
      <WorklistSkeleton />
    ) : (
      <ProblemAlert error={query.error} retry={() => query.refetch()} />
    )
  return <MarketItem {...props} {...step} product={query.data} />
}
