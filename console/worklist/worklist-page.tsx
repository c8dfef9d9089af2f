import { Alert, Anchor } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ruleName } from '../parts/format/rule-name.ts'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { useFollow } from '../product/product-link.tsx'
import { productQuery } from '../product/queries.ts'
import { allRules, qualityRulesQuery } from '../products/queries.ts'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import { useWorklistPosition, type WorklistPosition } from './position.ts'
import { fieldOfRule, type QualityRule } from './rule-fields.tsx'
import { strings } from './strings.ts'
import { WorkItem } from './work-item.tsx'
import { type Work, workQuery } from './work-query.ts'
import styles from './worklist.module.css'
import { ChooseRule, EndOfList, WorklistSkeleton } from './worklist-states.tsx'

/** Goes through the products that fail a quality rule, one by one. */
export function WorklistPage() {
  const position = useWorklistPosition()
  const rules = useQuery(qualityRulesQuery(position.project))
  const work = useQuery({
    ...workQuery(position.project, position.query, position.skipped),
    enabled: position.rule !== undefined,
  })
  if (position.rule === undefined) return <ChooseRule project={position.project} />
  const rule = rules.data && allRules(rules.data).find(({ code }) => code === position.rule)
  // The list endpoint rejects an unknown rule and suggests the closest one.
  const failed = [rules, work].find(({ error }) => error !== null)
  return (
    <Page
      title={ruleName(position.rule)}
      lead={rule?.message ?? strings.page.lead}
      actions={
        rule !== undefined &&
        (work.data?.count ?? 0) > 0 && (
          <WriteButton
            target={{
              project: position.project,
              count: work.data?.count ?? 0,
              products: { filter: position.filter },
              field: fieldOfRule(rule),
            }}
          />
        )
      }
    >
      <Progress position={position} work={work.data} />
      {failed?.error ? (
        <ProblemAlert error={failed.error} retry={() => failed.refetch()} />
      ) : rule === undefined || work.data === undefined ? (
        <WorklistSkeleton />
      ) : (
        <Worklist
          key={position.query}
          position={position}
          rule={rule}
          work={work as UseQueryResult<Work> & { data: Work }}
        />
      )}
    </Page>
  )
}

function Progress({
  position: { skipped, listUrl },
  work,
}: {
  position: WorklistPosition
  work: Work | undefined
}) {
  const follow = useFollow()
  return (
    <div className={styles.progress}>
      <span role="status">
        {work !== undefined && work.count > 0 && (
          <>
            <strong>{strings.page.left(Math.max(0, work.count - skipped))}</strong>
            {skipped > 0 && strings.page.skipped(Math.min(skipped, work.count))}
          </>
        )}
      </span>
      <Anchor {...follow(listUrl)}>{strings.page.list}</Anchor>
    </div>
  )
}

type WorklistProps = {
  position: WorklistPosition
  rule: QualityRule
  work: { data: Work; isFetching: boolean }
}

function Worklist({ position, rule, work }: WorklistProps) {
  const { project, query, skipped, goTo } = position
  const { canWrite } = usePermissions()
  const [held, setHeld] = useState<{ id: number; skipped: number }>()
  // If another user fixes the product, it stays on screen until the user saves or skips it.
  const id = held?.skipped === skipped ? held.id : work.data.id
  const hold = useCallback(
    (isHeld: boolean) => setHeld(isHeld && id !== null ? { id, skipped } : undefined),
    [id, skipped],
  )
  const live = useQuery({ ...productQuery(project, id ?? 0), enabled: id !== null })
  useNext(position, work.data, id)
  if (!canWrite)
    return (
      <Alert color="gray" title={strings.page.readOnlyTitle}>
        {strings.page.readOnlyText}
      </Alert>
    )
  if (id === null) return <EndOfList position={position} count={work.data.count} />
  if (live.data === undefined)
    return live.error === null ? (
      <WorklistSkeleton />
    ) : (
      <ProblemAlert error={live.error} retry={() => live.refetch()} />
    )
  return (
    <WorkItem
      key={`${query} ${id}`}
      project={project}
      rule={rule}
      live={live.data}
      isMoving={work.isFetching || live.isFetching}
      skip={() => goTo(skipped + 1)}
      hold={hold}
    />
  )
}

/** Prefetches the next product. */
function useNext({ project, query, skipped }: WorklistPosition, { count }: Work, id: number | null): void {
  const isThere = id !== null && count > skipped + 1
  const next = useQuery({ ...workQuery(project, query, skipped + 1), enabled: isThere }).data?.id ?? null
  useQuery({ ...productQuery(project, next ?? 0), enabled: isThere && next !== null })
}
