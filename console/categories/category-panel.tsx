import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Facts } from '../parts/facts.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { ListedCategory } from '../wire.ts'
import type { Act } from './acts.ts'
import { productsUnderQuery, shownCategoryQuery } from './queries.ts'
import styles from './tree.module.css'

type Props = { project: number; id: number | undefined; mayWrite: boolean; begin: (act: Act) => void }

/** The category that is chosen: where it stands, what it has, what can be done with it. */
export function CategoryPanel({ project, id, mayWrite, begin }: Props) {
  if (id === undefined)
    return (
      <Card title="Category">
        <Empty title="None is chosen">
          Choose a category to see what it has{mayWrite && ' and to change it'}.
        </Empty>
      </Card>
    )
  return <ChosenCategory {...{ project, id, mayWrite, begin }} />
}

function ChosenCategory({ project, id, mayWrite, begin }: Props & { id: number }) {
  const query = useQuery(shownCategoryQuery(project, id))
  return (
    <Card title={query.data?.name ?? 'Category'}>
      <Loaded query={query}>
        {(category) =>
          category === null ? (
            <Empty title="No such category">Somebody has deleted it, or merged it into another.</Empty>
          ) : (
            <>
              <CategoryFacts project={project} category={category} />
              {mayWrite && <Acts category={category} begin={begin} />}
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
          Products: linkTo({ category: String(id) }, products),
          'With those below':
            under.data === undefined
              ? under.error === null
                ? '…'
                : 'Not known'
              : linkTo({ category__under: String(id) }, under.data),
          'Categories below': numberText(children),
          Position: numberText(position),
        }}
      />
    </>
  )
}

function Acts({ category, begin }: { category: ListedCategory; begin: (act: Act) => void }) {
  const { products = 0, children = 0 } = category
  const held = [
    products > 0 && counted(products, 'product'),
    children > 0 && `${counted(children, 'category', 'categories')} below`,
  ].filter((one) => one !== false)
  const act = (kind: Act['kind'], label: string) => (
    <Button size="xs" variant="default" onClick={() => begin({ kind, category } as Act)}>
      {label}
    </Button>
  )
  return (
    <>
      <div className={styles.acts}>
        {act('rename', 'Rename')}
        {act('move', 'Move to…')}
        {act('create', 'New below')}
        {act('merge', 'Merge into…')}
        {held.length === 0 && act('delete', 'Delete')}
      </div>
      {held.length > 0 && (
        <p className={styles.why}>
          It has {held.join(' and ')}, so it cannot be deleted; merge it into another.
        </p>
      )}
    </>
  )
}
