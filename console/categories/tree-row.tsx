import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import { Icon } from '../parts/icons.tsx'
import { strings } from './strings.ts'
import styles from './tree.module.css'
import type { DragState } from './use-drag.ts'
import type { CategoryRow } from './use-levels.ts'

type Props = {
  project: number
  row: CategoryRow
  id: string
  start: number
  isActive: boolean
  isChosen: boolean
  drag: DragState | undefined
  setOpen: (id: number, isOpen: boolean) => void
  choose: (row: CategoryRow) => void
}

export function TreeRowView({ project, row, id, start, isActive, isChosen, drag, setOpen, choose }: Props) {
  const { category, level, place, siblings, isOpen } = row
  const { name, children = 0 } = category
  // A collapsed category represents its subcategories.
  const isSum = children > 0 && !isOpen
  const products = (isSum ? category.subtree_products : category.products) ?? 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the tree, which has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      role="treeitem"
      id={id}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isChosen}
      {...(children > 0 && { 'aria-expanded': isOpen })}
      data-active={isActive}
      className={styles.row}
      style={{ transform: `translateY(${start}px)`, paddingLeft: `${level * 1.25}rem` }}
      onClick={() => choose(row)}
      {...drag?.handlersOf(category)}
    >
      {children > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className={styles.toggle}
          data-open={isOpen}
          onClick={(event) => {
            event.stopPropagation()
            setOpen(category.id, !isOpen)
          }}
        >
          <Icon name="chevron" size={14} />
        </button>
      ) : (
        <span className={styles.toggle} />
      )}
      <bdi className={styles.name}>{name}</bdi>{' '}
      {products > 0 ? (
        <Link
          to="/projects/$projectId/products"
          params={{ projectId: project }}
          search={{ [isSum ? 'category__under' : 'category']: String(category.id) }}
          tabIndex={-1}
          className={styles.count ?? ''}
          title={isSum ? strings.tree.sum(products) : strings.tree.products(products)}
          draggable={false}
          onClick={(event) => event.stopPropagation()}
        >
          <Count products={products} />
        </Link>
      ) : (
        <span className={styles.none}>
          <Count products={products} />
        </span>
      )}
    </div>
  )
}

function Count({ products }: { products: number }) {
  return (
    <>
      {numberText(products)}
      <span className="unseen"> {strings.tree.productsWord(products)}</span>
    </>
  )
}
