import { Button } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Tag, tokenState } from '../parts/badges.tsx'
import { planName } from '../parts/format/plan-name.ts'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { productStatuses } from '../parts/product-status.tsx'
import { apiAccessQuery, productCountQuery } from '../queries.ts'
import { lazyPart } from '../routes/lazy-page.ts'
import type { ApiAccess, ProductStatus } from '../wire.ts'
import { ActivityCard } from './activity-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestChanges } from './newest-changes.tsx'
import styles from './overview-page.module.css'
import { PeopleCard } from './people-card.tsx'
import { QualityCards } from './quality-cards.tsx'
import lower from './stock-and-activity.module.css'
import { StockCard } from './stock-card.tsx'
import { strings } from './strings.ts'

export function OverviewPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  return (
    <Page title={project.name} lead={strings.page.lead(planName(project.plan), project.currency)}>
      <Counts project={project.id} has_views={project.has_views} />
      <ApiAccessState project={project.id} />
    </Page>
  )
}

const loadProgress = lazyPart(() => import('./market-progress.tsx'))
const MarketProgress = lazy(async () => ({ default: (await loadProgress()).MarketProgress }))

function Counts({ project, has_views }: { project: number; has_views: boolean }) {
  const counts = useQueries({
    queries: productStatuses.map(({ status }) => productCountQuery(project, status)),
  })
  const failed = counts.find(({ error }) => error !== null)
  if (failed?.error) return <ProblemAlert error={failed.error} retry={() => failed.refetch()} />
  const total = counts.every(({ data }) => data !== undefined)
    ? counts.reduce((sum, { data = 0 }) => sum + data, 0)
    : undefined
  return (
    <>
      <section aria-labelledby="counts">
        <h2 id="counts" className="unseen">
          {strings.counts.title}
        </h2>
        <dl className={styles.counts}>
          <Count project={project} label={strings.counts.all} hint={strings.counts.allHint} value={total} />
          {productStatuses.map(({ status, label, hint }, index) => (
            <Count
              key={status}
              project={project}
              status={status}
              label={label}
              hint={hint}
              value={counts[index]?.data}
            />
          ))}
        </dl>
      </section>
      {total !== 0 && <FirstSteps project={project} active={counts[0]?.data} isReady={total !== undefined} />}
      <NewestChanges project={project} />
      {total !== 0 && (
        <>
          {has_views && total !== undefined && (
            <Suspense fallback={null}>
              <MarketProgress project={project} />
            </Suspense>
          )}
          <QualityCards project={project} isReady={total !== undefined} />
          <div className={lower.cards}>
            <ActivityCard project={project} isReady={total !== undefined} />
            <StockCard project={project} total={total} />
          </div>
          <PeopleCard project={project} isReady={total !== undefined} />
        </>
      )}
    </>
  )
}

type CountProps = {
  project: number
  status?: ProductStatus
  label: string
  hint: string
  value: number | undefined
}

/** A count that links to its list. */
function Count({ project, status, label, hint, value }: CountProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Link
          to="/projects/$projectId/products"
          params={{ projectId: project }}
          search={status === undefined ? {} : { status }}
          aria-label={strings.counts.link(value?.toLocaleString() ?? '', label)}
          className="tabular"
        >
          {value?.toLocaleString() ?? '–'}
        </Link>
        <span>{hint}</span>
      </dd>
    </div>
  )
}

function ApiAccessState({ project }: { project: number }) {
  const query = useQuery(apiAccessQuery(project))
  return (
    <Card
      title={strings.access.title}
      actions={
        <Button
          component={Link}
          to={`/projects/${project}/settings/api-access`}
          variant="default"
          size="xs"
          rightSection={<Icon name="chevron" size={14} />}
        >
          {strings.access.open}
        </Button>
      }
    >
      <Loaded query={query} rows={1}>
        {(access) => (
          <p className={styles.access}>
            <AccessStatus access={access} />
          </p>
        )}
      </Loaded>
    </Card>
  )
}

function AccessStatus({ access: { locked, request, tokens, usage } }: { access: ApiAccess }) {
  if (locked && request?.state === 'open')
    return (
      <>
        <Tag tone="yellow">{strings.access.requested}</Tag> {strings.access.requestedText}
      </>
    )
  if (locked)
    return (
      <>
        <Tag tone="gray">{strings.access.off}</Tag> {strings.access.offText}
      </>
    )
  const requests = usage.reduce((sum, day) => sum + day.requests, 0)
  const waiting = tokens.some((token) => tokenState(token) === 'new')
  return (
    <>
      <Tag tone="accent">{strings.access.on}</Tag>
      <span className="tabular">{strings.access.requests(requests)}</span>
      {waiting && ` ${strings.access.newToken}`}
    </>
  )
}
