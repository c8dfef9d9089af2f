import { useQuery } from '@tanstack/react-query'
import { ruleName } from '../parts/format/rule-name.ts'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { allRules, qualityRulesQuery } from '../products/queries.ts'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import { useWorklistPosition } from './position.ts'
import { fieldOfRule } from './rule-fields.tsx'
import { strings } from './strings.ts'
import { WorkItem } from './work-item.tsx'
import { workQuery } from './work-query.ts'
import { WorkProgress, WorkSteps } from './work-steps.tsx'
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
      <div className={styles.progress}>
        <WorkProgress position={position} work={work.data} />
      </div>
      {failed?.error ? (
        <ProblemAlert error={failed.error} retry={() => failed.refetch()} />
      ) : rule === undefined || work.data === undefined ? (
        <WorklistSkeleton />
      ) : (
        <WorkSteps
          key={position.query}
          position={position}
          work={{ data: work.data, isFetching: work.isFetching }}
          readOnlyText={strings.page.readOnlyText}
          end={<EndOfList position={position} count={work.data.count} />}
        >
          {(step) => <WorkItem project={position.project} rule={rule} {...step} />}
        </WorkSteps>
      )}
    </Page>
  )
}
