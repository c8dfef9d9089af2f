import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { ListedCategory } from '../wire.ts'
import type { CategoryAction } from './actions.ts'
import { productsUnderQuery, shownCategoryQuery } from './queries.ts'
import { strings } from './strings.ts'
import styles from './tree.module.css'

type Props = {
  project: number
  id: number | undefined
  canWrite: boolean
  begin: (action: CategoryAction) => void
}

/** The selected category: path, counts and actions. */
export function CategoryPanel({ project, id, canWrite, begin }: Props) {
  if (id === undefined)
    return (
      <Card title={strings.panel.title}>
        <Empty title={strings.panel.noneTitle}>
          {canWrite ? strings.panel.noneForEditors : strings.panel.noneForViewers}
        </Empty>
      </Card>
    )
  return <ChosenCategory {...{ project, id, canWrite, begin }} />
}

function ChosenCategory({ project, id, canWrite, begin }: Props & { id: number }) {
  const query = useQuery(shownCategoryQuery(project, id))
  return (
    <Card title={query.data?.name ?? strings.panel.title}>
      <Loaded query={query}>
        {(category) =>
          category === null ? (
            <Empty title={strings.panel.missingTitle}>{strings.panel.missingText}</Empty>
          ) : (
            <>
              <CategoryFacts project={project} category={category} />
              {canWrite && <Actions category={category} begin={begin} />}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function CategoryFacts({ project, category }: { project: number; category: ListedCategory }) {
  const { id, path, products = 0, children = 0, position } = category
  const under = useQuery(productsUnderQuery(project, id))
  const linkTo = (search: Record<string, string>, count: number) => (
    <Anchor
      component={Link}
      to="/projects/$projectId/products"
      params={{ projectId: project } as never}
      search={search as never}
    >
      {numberText(count)}
    </Anchor>
  )
  return (
    <>
      {path.length > 1 && (
        <p className={styles.path}>
          <bdi>{path.join(' › ')}</bdi>
        </p>
      )}
      <Facts
        facts={{
          [strings.panel.facts.products]: linkTo({ category: String(id) }, products),
          [strings.panel.facts.productsUnder]:
            under.data === undefined
              ? under.error === null
                ? strings.panel.facts.loading
                : strings.panel.facts.unknown
              : linkTo({ category__under: String(id) }, under.data),
          [strings.panel.facts.subcategories]: numberText(children),
          [strings.panel.facts.position]: numberText(position),
        }}
      />
    </>
  )
}

function Actions({ category, begin }: { category: ListedCategory; begin: (action: CategoryAction) => void }) {
  const { products = 0, children = 0 } = category
  const held = [
    products > 0 && strings.panel.products(products),
    children > 0 && strings.panel.subcategories(children),
  ].filter((one) => one !== false)
  const action = (kind: CategoryAction['kind'], label: string) => (
    <Button size="xs" variant="default" onClick={() => begin({ kind, category } as CategoryAction)}>
      {label}
    </Button>
  )
  return (
    <>
      <div className={styles.actions}>
        {action('rename', strings.panel.edit)}
        {action('move', strings.panel.move)}
        {action('create', strings.panel.create)}
        {action('merge', strings.panel.merge)}
        {held.length === 0 && action('delete', strings.panel.delete)}
      </div>
      {held.length > 0 && <p className={styles.why}>{strings.panel.notEmpty(held)}</p>}
    </>
  )
}
