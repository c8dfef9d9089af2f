import { Button } from '@mantine/core'
import styles from './grid/sheet.module.css'
import { type Edit, type Editing, editAt, keyOf } from './model/edits.ts'
import type { Cell } from './model/layout.ts'
import { strings } from './strings.ts'

type Props = {
  cell: Cell | undefined
  editing: Editing
  /** Replaces a conflict with the chosen value. */
  choose: (key: string, edit: Edit | undefined) => void
}

/** What the active cell cannot show: its whole error, why it is read-only, and the choice in a conflict. */
export function CellBar({ cell, editing, choose }: Props) {
  const edit = cell && editAt(editing, cell)
  const why = cell?.field.whyReadOnly(cell.product)
  return (
    <section aria-label={strings.bar.label} className={styles.bar}>
      {cell !== undefined && (
        <p>
          <strong>
            <bdi>{cell.product.sku}</bdi> · <bdi>{cell.field.label}</bdi>
          </strong>
        </p>
      )}
      {edit?.error !== undefined && <p className={styles.wrong}>{edit.error}</p>}
      {edit?.theirs !== undefined && cell !== undefined && <Conflict {...{ cell, edit, choose }} />}
      {edit?.error === undefined && edit?.theirs === undefined && (
        <p className={`${styles.note} ${why === undefined ? styles.keyHint : ''}`}>
          {why ?? strings.bar.hint}
        </p>
      )}
    </section>
  )
}

function Conflict({ cell, edit, choose }: { cell: Cell; edit: Edit; choose: Props['choose'] }) {
  const { value } = edit.theirs ?? {}
  const key = keyOf(edit.id, edit.field)
  const { theirs: _theirs, ...mine } = edit
  return (
    <>
      <p className={styles.wrong}>
        {strings.bar.conflict(cell.field.codec.shown(value) || strings.grid.empty)}
      </p>
      <Button size="compact-xs" onClick={() => choose(key, { ...mine, base: value })}>
        {strings.bar.keepMine}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => choose(key, undefined)}>
        {strings.bar.takeTheirs}
      </Button>
    </>
  )
}
