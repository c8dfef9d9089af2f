import { type ReactNode, useEffect } from 'react'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { ListedCategory } from '../wire.ts'
import type { CategoryAction } from './actions.ts'
import { strings } from './strings.ts'
import styles from './tree.module.css'
import { CategoryTree } from './tree.tsx'
import { useDrag } from './use-drag.ts'
import { useLevels } from './use-levels.ts'

type Props = {
  project: number
  actions: ReactNode
  canWrite: boolean
  chosen: number | undefined
  /** A category to expand, because something was just moved there. */
  opened: number | undefined
  choose: (id: number) => void
  begin: (action: CategoryAction) => void
  move: (move: { category: ListedCategory; onto: ListedCategory | null }) => void
}

export function TreeCard({ project, actions, canWrite, chosen, opened, choose, begin, move }: Props) {
  const { rootQuery, rows, setOpen } = useLevels(project)
  const drag = useDrag(move)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something has come
  useEffect(() => {
    if (opened !== undefined) setOpen(opened, true)
  }, [opened])
  return (
    <Card title={strings.tree.title} flush actions={actions} lead={<Lead count={rootQuery.data?.count} />}>
      <Loaded query={rootQuery} rows={10}>
        {({ count }) =>
          count === 0 ? (
            <Empty title={strings.tree.noneTitle}>
              {canWrite ? strings.tree.noneForEditors : strings.tree.noneForViewers}
            </Empty>
          ) : (
            <>
              <CategoryTree
                project={project}
                rows={rows}
                chosen={chosen}
                drag={canWrite ? drag : undefined}
                setOpen={setOpen}
                choose={({ category }) => choose(category.id)}
                rename={({ category }) => canWrite && begin({ kind: 'rename', category })}
                remove={({ category }) => {
                  // The panel explains why a category in use cannot be deleted.
                  choose(category.id)
                  if (canWrite && isEmpty(category)) begin({ kind: 'delete', category })
                }}
              />
              {canWrite && (
                <div className={styles.root} {...drag.target(null)}>
                  {drag.dragged === undefined ? strings.tree.hint : strings.tree.dropAtTop}
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const isEmpty = ({ products = 0, children = 0 }: ListedCategory) => products + children === 0

function Lead({ count }: { count: number | undefined }) {
  return <>{count === undefined ? strings.tree.loadingCount : strings.tree.topLevel(count)}</>
}
