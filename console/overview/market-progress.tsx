import { Anchor } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { marketProgressQuery } from '../markets/market-queries.ts'
import { useMarkets } from '../markets/use-markets.ts'
import { ProblemError } from '../network.ts'
import { numberText } from '../parts/format/number-text.ts'
import { Card } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { Market, MarketProgress as Progress } from '../wire.ts'
import bars from './count-bars.module.css'
import styles from './market-progress.module.css'
import { strings } from './strings.ts'

const mostShown = 10

/** How complete each language and market is, with links to what is missing. */
export function MarketProgress({ project }: { project: number }) {
  const { markets } = useMarkets()
  const shown = markets.slice(0, mostShown)
  const queries = useQueries({ queries: shown.map(({ code }) => marketProgressQuery(project, code)) })
  if (shown.length === 0) return null
  return (
    <Card title={strings.markets.title} lead={strings.markets.lead}>
      <ul className={styles.markets}>
        {shown.map((market, index) => (
          <li key={market.code}>
            <MarketRow
              project={project}
              market={market}
              progress={queries[index]?.data}
              error={queries[index]?.error ?? null}
            />
          </li>
        ))}
      </ul>
      {markets.length > mostShown && (
        <Anchor component={Link} to={`/projects/${project}/settings/markets`} size="sm">
          {strings.markets.all(markets.length)}
        </Anchor>
      )}
    </Card>
  )
}

type RowProps = {
  project: number
  market: Market
  progress: Progress | undefined
  error: Error | null
}

function MarketRow({ project, market, progress, error }: RowProps) {
  const { code, label, requires } = market
  const share = progress === undefined ? 0 : progress.complete / Math.max(progress.products, 1)
  return (
    <>
      <Link
        to="/projects/$projectId/products"
        params={{ projectId: project }}
        search={{ market: code }}
        className={bars.link ?? ''}
      >
        <bdi>{label}</bdi>
        <span className="tabular">
          {progress !== undefined &&
            requires.length > 0 &&
            strings.markets.complete(numberText(progress.complete), numberText(progress.products))}
        </span>
      </Link>
      {requires.length > 0 && (
        <div className={bars.track} aria-hidden="true">
          <div className={bars.bar} style={{ width: `${100 * share}%` }} />
        </div>
      )}
      <p className={styles.facts}>
        <Facts {...{ project, market, progress, error }} />
      </p>
    </>
  )
}

function Facts({ project, market: { code, label, requires }, progress, error }: RowProps) {
  const { canWrite } = usePermissions()
  if (error !== null)
    return error instanceof ProblemError && error.code === 'view_marking'
      ? strings.markets.checking
      : error.message
  if (progress === undefined) return strings.bars.loading
  const work = (only?: 'outdated') => ({
    to: '/projects/$projectId/markets/$market/worklist' as const,
    params: { projectId: project, market: code },
    search: only === undefined ? {} : { only },
  })
  const missing = progress.missing.filter(({ products }) => products > 0)
  return (
    <>
      {requires.length === 0 && <span>{strings.markets.nothingRequired}</span>}
      {missing.map(({ field, products }) => (
        <Link
          key={field}
          to="/projects/$projectId/products"
          params={{ projectId: project }}
          search={{ market: code, missing_in: `${code}.${field}` }}
        >
          {strings.markets.missing(fieldLabel(field), numberText(products))}
        </Link>
      ))}
      {progress.stale > 0 && (
        <Link
          to="/projects/$projectId/products"
          params={{ projectId: project }}
          search={{ market: code, stale_in: code }}
        >
          {strings.markets.outdated(numberText(progress.stale))}
        </Link>
      )}
      {requires.length > 0 && missing.length === 0 && progress.stale === 0 && (
        <span>{strings.markets.done}</span>
      )}
      {canWrite && missing.length + progress.stale > 0 && (
        <Link {...work(missing.length === 0 ? 'outdated' : undefined)} className={styles.work ?? ''}>
          {strings.bars.fix}
          <span className="unseen"> {label}</span>
        </Link>
      )}
    </>
  )
}
