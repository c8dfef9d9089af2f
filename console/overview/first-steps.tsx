import { Button, CloseButton, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { focusContent } from '../parts/dialogs/restore-focus.ts'
import { ruleName } from '../parts/format/rule-name.ts'
import { Icon } from '../parts/icons.tsx'
import { Card } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { openProposalsQuery } from '../proposals/queries.ts'
import styles from './first-steps.module.css'
import { failedRulesQuery } from './queries.ts'
import { strings } from './strings.ts'
import { useHidden } from './use-hidden.ts'

const RaisePrices = lazy(() =>
  import('./raise-prices.tsx').then(({ RaisePrices }) => ({ default: RaisePrices })),
)

type Props = {
  project: number
  /** The number of active products; undefined while it loads. */
  active: number | undefined
  /** Whether the first part of the page is loaded. */
  isReady: boolean
}

/** Three acts that show what the console can do, until the user hides them. */
export function FirstSteps({ project, active, isReady }: Props) {
  const { canWrite } = usePermissions()
  const [isHidden, hide] = useHidden(`catalog-first-steps-${project}`)
  if (!canWrite || isHidden) return null
  return (
    <Card
      title={strings.steps.title}
      actions={
        <CloseButton
          aria-label={strings.steps.hide}
          onClick={() => {
            hide()
            focusContent()
          }}
        />
      }
    >
      <ol className={styles.steps}>
        <ReviewStep project={project} />
        <FixStep project={project} isReady={isReady} />
        <PriceStep project={project} active={active} />
      </ol>
    </Card>
  )
}

function ReviewStep({ project }: { project: number }) {
  const { data } = useQuery(openProposalsQuery(project))
  if (data === undefined) return <Loading />
  const { newest } = data
  if (newest === undefined) return null
  return (
    <Step icon="proposal" title={strings.steps.review} text={strings.steps.reviewText(newest.title)}>
      <Button component={Link} to={`/projects/${project}/proposals/${newest.id}`} size="xs" variant="light">
        {strings.steps.reviewAct}
      </Button>
    </Step>
  )
}

/** The rule about descriptions if products fail it, else the one that most products fail. */
function FixStep({ project, isReady }: { project: number; isReady: boolean }) {
  const { data: rules } = useQuery({ ...failedRulesQuery(project), enabled: isReady })
  if (rules === undefined) return <Loading />
  const rule = rules.find(({ code }) => code === 'description_length') ?? rules[0]
  if (rule === undefined) return null
  return (
    <Step icon="pencil" title={strings.steps.fix} text={strings.steps.fixText(ruleName(rule.code))}>
      <Button
        component={Link}
        to={`/projects/${project}/worklist`}
        search={{ quality_rule: rule.code } as never}
        size="xs"
        variant="light"
      >
        {strings.steps.fixAct}
      </Button>
    </Step>
  )
}

function PriceStep({ project, active }: Omit<Props, 'isReady'>) {
  const [isOpen, setOpen] = useState(false)
  if (active === undefined) return <Loading />
  if (active === 0) return null
  return (
    <Step icon="chart" title={strings.steps.prices} text={strings.steps.pricesText}>
      <Button size="xs" variant="light" onClick={() => setOpen(true)}>
        {strings.steps.pricesAct}
      </Button>
      {isOpen && (
        <Suspense>
          <RaisePrices project={project} active={active} close={() => setOpen(false)} />
        </Suspense>
      )}
    </Step>
  )
}

type StepProps = {
  icon: Parameters<typeof Icon>[0]['name']
  title: string
  text: string
  children: ReactNode
}

function Step({ icon, title, text, children }: StepProps) {
  return (
    <li className={styles.step}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <h3>{title}</h3>
      <p>
        <bdi>{text}</bdi>
      </p>
      <div>{children}</div>
    </li>
  )
}

function Loading() {
  return (
    <li aria-hidden="true">
      <Skeleton height={128} />
    </li>
  )
}
