import { Anchor } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ruleName } from '../parts/format/rule-name.ts'
import { Card } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { countQuery } from '../queries.ts'
import type { ProductDetail } from '../wire.ts'
import { BarsSkeleton, CountBars } from './count-bars.tsx'
import styles from './quality-cards.module.css'
import { failedRulesQuery, rulesShown } from './queries.ts'
import { strings } from './strings.ts'

type Choice = { label: string; filter: Record<string, string> }

const grades: Choice[] = [
  { label: strings.quality.grades.a, filter: { quality_score__gte: '90' } },
  { label: strings.quality.grades.b, filter: { quality_score__gte: '75', quality_score__lte: '89' } },
  { label: strings.quality.grades.c, filter: { quality_score__gte: '60', quality_score__lte: '74' } },
  { label: strings.quality.grades.d, filter: { quality_score__gte: '40', quality_score__lte: '59' } },
  { label: strings.quality.grades.e, filter: { quality_score__lte: '39' } },
]

const typeNames: Record<ProductDetail['product_type'], string> = {
  simple: strings.quality.types.simple,
  configurable: strings.quality.types.configurable,
  virtual: strings.quality.types.virtual,
  bundle: strings.quality.types.bundle,
  grouped: strings.quality.types.grouped,
}
const types: Choice[] = Object.entries(typeNames).map(([product_type, label]) => ({
  label,
  filter: { product_type },
}))

type Props = {
  project: number
  /** Whether the first part of the page is loaded. These numbers can load later. */
  isReady: boolean
}

/** Scores, most failed rules and product types, each linked to its products. */
export function QualityCards({ project, isReady }: Props) {
  return (
    <div className={styles.cards}>
      <Card title={strings.quality.scores}>
        <Counts project={project} choices={grades} isReady={isReady} />
      </Card>
      <Card title={strings.quality.failedRules}>
        <FailedRules project={project} isReady={isReady} />
        <Anchor component={Link} to={`/projects/${project}/duplicates`} className={styles.duplicates}>
          {strings.quality.duplicates}
        </Anchor>
      </Card>
      <Card title={strings.quality.typesTitle}>
        <Counts project={project} choices={types} isReady={isReady} />
      </Card>
    </div>
  )
}

function Counts({ project, choices, isReady }: Props & { choices: Choice[] }) {
  const counts = useQueries({
    queries: choices.map(({ filter }) => ({ ...countQuery(project, filter), enabled: isReady })),
  })
  const failed = counts.find(({ error }) => error !== null)
  if (failed?.error) return <ProblemAlert error={failed.error} retry={() => failed.refetch()} />
  if (counts.some(({ data }) => data === undefined)) return <BarsSkeleton rows={choices.length} />
  const total = counts.reduce((sum, { data = 0 }) => sum + data, 0)
  const bars = choices.map((choice, index) => {
    const count = counts[index]?.data ?? 0
    return { ...choice, count, share: total === 0 ? 0 : count / total }
  })
  return <CountBars project={project} bars={bars} />
}

function FailedRules({ project, isReady }: Props) {
  const query = useQuery({ ...failedRulesQuery(project), enabled: isReady })
  const { canWrite } = usePermissions()
  const rules = query.data ?? []
  const counts = useQueries({ queries: rules.map(({ code }) => countQuery(project, { quality_rule: code })) })
  if (query.error !== null) return <ProblemAlert error={query.error} retry={() => query.refetch()} />
  if (query.data === undefined) return <BarsSkeleton rows={rulesShown} isWork={canWrite} />
  if (rules.length === 0) return <p className={styles.none}>{strings.quality.noFailedRules}</p>
  const bars = rules.map(({ code, message, share }, index) => ({
    label: ruleName(code),
    hint: message,
    filter: { quality_rule: code },
    count: counts[index]?.data,
    share,
    isWork: canWrite,
  }))
  return <CountBars project={project} bars={bars} />
}
