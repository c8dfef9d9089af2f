import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState } from 'react'
import { ProblemAlert } from '../parts/problem.tsx'
import { strings } from './strings.ts'
import styles from './tree.module.css'
import { type Tree as Keys, useTreeKeys } from './tree-keys.ts'
import { TreeRowView } from './tree-row.tsx'
import type { DragState } from './use-drag.ts'
import type { CategoryRow, SkeletonRow, TreeRow } from './use-levels.ts'

type Props = Pick<Keys, 'rows' | 'setOpen' | 'choose' | 'rename' | 'remove'> & {
  project: number
  chosen: number | undefined
  /** Undefined if the user cannot move categories. */
  drag: DragState | undefined
}

const rowHeight = 36

/**
 * Renders only visible rows. The tree holds the focus and names its active row, so that the focus survives when a
 * row scrolls out of view.
 */
export function CategoryTree(props: Props) {
  const { rows, chosen, drag, setOpen, choose } = props
  const base = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<string>()
  const active = Math.max(
    rows.findIndex(({ key }) => key === activeKey),
    0,
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const go = (place: number) => {
    setActiveKey(rows[place]?.key)
    virtual.scrollToIndex(place)
  }
  const onKeyDown = useTreeKeys({ ...props, active, go })
  const idOf = (row: TreeRow | undefined) => row && `${base}${row.key}`
  return (
    <div
      ref={frame}
      role="tree"
      aria-label={strings.tree.label}
      aria-activedescendant={idOf(rows[active])}
      tabIndex={0}
      className={styles.frame}
      onKeyDown={onKeyDown}
    >
      <div role="none" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index] as TreeRow
          const place = { id: idOf(row) as string, start, isActive: index === active }
          if (row.kind === 'waiting') return <Waiting key={key} row={row} {...place} />
          return (
            <TreeRowView
              key={key}
              {...place}
              project={props.project}
              row={row}
              isChosen={row.category.id === chosen}
              drag={drag}
              setOpen={setOpen}
              choose={(one: CategoryRow) => {
                setActiveKey(one.key)
                choose(one)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

type WaitingProps = { row: SkeletonRow; id: string; start: number; isActive: boolean }

/** Loads the levels that became visible. */
function Waiting({ row: { level, error, read }, id, start, isActive }: WaitingProps) {
  const next = useRef(read)
  next.current = read
  useEffect(() => {
    if (error === null) next.current()
  }, [error])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      role="treeitem"
      id={id}
      aria-level={level}
      aria-selected={false}
      data-active={isActive}
      className={styles.row}
      style={{ transform: `translateY(${start}px)`, paddingLeft: `${level * 1.25 + 1.25}rem` }}
    >
      {error === null ? (
        <span className={styles.dim}>{strings.tree.loading}</span>
      ) : (
        <ProblemAlert error={error} retry={read} />
      )}
    </div>
  )
}
