// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have virtual rows and columns
// biome-ignore-all lint/a11y/useFocusableInteractive: headers are no cells to edit, so the arrow keys skip them

import type { GridProps, VisibleColumn } from './grid-types.ts'
import styles from './sheet.module.css'

type HeaderProps = Pick<GridProps, 'columns' | 'titles'> & { visible: VisibleColumn[]; height: number }

export function HeaderRow({ columns, visible, titles, height }: HeaderProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.header} style={{ height }}>
      {titles !== undefined && (
        <div
          role="columnheader"
          aria-colindex={1}
          data-sticky
          className={styles.heading}
          style={{ width: titles.width }}
        >
          <bdi>{titles.header}</bdi>
        </div>
      )}
      {visible.map(({ index, start, size }) => {
        const column = columns[index]
        const isSticky = titles === undefined && index === 0
        return (
          <div
            key={column?.key}
            role="columnheader"
            aria-colindex={index + (titles === undefined ? 1 : 2)}
            data-number={column?.isNumber || undefined}
            data-sticky={isSticky || undefined}
            className={styles.heading}
            style={isSticky ? { width: size } : { left: start, width: size }}
            title={column?.label}
          >
            <bdi>{column?.label}</bdi>
          </div>
        )
      })}
    </div>
  )
}
