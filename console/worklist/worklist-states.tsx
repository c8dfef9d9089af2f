import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ruleName } from '../parts/format/rule-name.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import product from '../product/product.module.css'
import { useFollow } from '../product/product-link.tsx'
import { allRules, qualityRulesQuery } from '../products/queries.ts'
import type { WorklistPosition } from './position.ts'
import { strings } from './strings.ts'
import styles from './worklist.module.css'

/** Placeholder of about the same size as the product. */
export function WorklistSkeleton() {
  return (
    <div role="status">
      <span className="unseen">{strings.page.loading}</span>
      <Skeleton height={26} width="min(100%, 24rem)" mb="lg" />
      <div className={product.columns}>
        <Skeleton height={240} radius={12} />
        <Skeleton height={400} radius={12} />
      </div>
    </div>
  )
}

/** Shown when all products are fixed or skipped. */
export function EndOfList({ position, count }: { position: WorklistPosition; count: number }) {
  const follow = useFollow()
  if (count === 0)
    return (
      <Card label={strings.end.done}>
        <Empty
          title={strings.end.done}
          action={
            <Button component={Link} to={`/projects/${position.project}`} variant="default" size="xs">
              {strings.end.overview}
            </Button>
          }
        >
          {strings.end.doneText}
        </Empty>
      </Card>
    )
  return (
    <Card title={strings.end.title}>
      <Empty
        title={strings.end.skippedTitle(count)}
        action={
          <Button size="xs" onClick={() => position.goTo(0)}>
            {strings.end.again}
          </Button>
        }
      >
        {strings.end.skippedText} <Anchor {...follow(position.listUrl)}>{strings.end.list}</Anchor>
      </Empty>
    </Card>
  )
}

/** Shown if the URL names no rule. */
export function ChooseRule({ project }: { project: number }) {
  const query = useQuery(qualityRulesQuery(project))
  return (
    <Page title={strings.choose.title} lead={strings.choose.lead}>
      <Card title={strings.choose.rules}>
        <Loaded query={query} rows={6}>
          {(rules) => (
            <ul className={styles.rules}>
              {allRules(rules).map(({ code, message }) => (
                <li key={code}>
                  <Anchor
                    component={Link}
                    to="/projects/$projectId/worklist"
                    params={{ projectId: project } as never}
                    search={{ quality_rule: code } as never}
                  >
                    {ruleName(code)}
                  </Anchor>
                  {message !== undefined && <p>{message}</p>}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
