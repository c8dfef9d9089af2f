import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { counted } from '../parts/words/number-text.ts'
import { ruleName } from '../parts/words/rule-name.ts'
import product from '../product/product.module.css'
import { useFollow } from '../product/product-link.tsx'
import { allRules, qualityRulesQuery } from '../products/queries.ts'
import type { Place } from './place.ts'
import styles from './worklist.module.css'

/** What stands where the product will be, in about its size. */
export function WaitingForWork() {
  return (
    <div role="status">
      <span className="unseen">Loading…</span>
      <Skeleton height={26} width="min(100%, 24rem)" mb="lg" />
      <div className={product.columns}>
        <Skeleton height={240} radius={12} />
        <Skeleton height={400} radius={12} />
      </div>
    </div>
  )
}

/** Nothing is left: all is mended, or what is not was skipped. */
export function NothingLeft({ place, count }: { place: Place; count: number }) {
  const follow = useFollow()
  return (
    <Card title={count === 0 ? 'All done' : 'The end of the list'}>
      {count === 0 ? (
        <Empty
          title="No product is left"
          action={
            <Button component={Link} to={`/projects/${place.project}`} variant="default" size="xs">
              Back to the overview
            </Button>
          }
        >
          Every product that the list is about passes this rule.
        </Empty>
      ) : (
        <Empty
          title={`${counted(count, 'product')} ${count === 1 ? 'was' : 'were'} skipped`}
          action={
            <Button size="xs" onClick={() => place.goTo(0)}>
              Go through them again
            </Button>
          }
        >
          All others pass the rule. <Anchor {...follow(place.listAddress)}>See the list</Anchor>
        </Empty>
      )}
    </Card>
  )
}

/** Without a rule there is nothing to go through. */
export function ChooseRule({ project }: { project: number }) {
  const query = useQuery(qualityRulesQuery(project))
  return (
    <Page title="Worklist" lead="Choose a rule, and go through the products that fail it one by one.">
      <Card title="Quality rules">
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
