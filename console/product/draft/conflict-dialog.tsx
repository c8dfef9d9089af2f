import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import dialog from '../../parts/dialogs/dialogs.module.css'
import { useRestoreFocus } from '../../parts/dialogs/restore-focus.ts'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import type { ProductDetail } from '../../wire.ts'
import { strings } from '../strings.ts'
import { ValueText } from '../value-text.tsx'
import styles from './conflict-dialog.module.css'
import { type Draft, draftOf } from './draft.ts'
import { changedFields, compareSides, rebase, type Side } from './draft-changes.ts'
import { shownFields } from './draft-shown.ts'

type Props = {
  base: Draft
  theirs: ProductDetail
  mine: Draft
  save: (merged: Draft) => void
  close: () => void
}

/** Shows each field that the user changed: the original, the other user's and their own value. */
export function ConflictDialog({ base, theirs, mine, save, close }: Props) {
  useRestoreFocus()
  const other = draftOf(theirs)
  const sides = compareSides(base, other, mine)
  const [fromThem, setFromThem] = useState<readonly string[]>([])
  const values = { base: shownFields(base), theirs: shownFields(other), mine: shownFields(mine) }
  const choose = (field: string, isTheirs: boolean) =>
    setFromThem((before) => [...before.filter((one) => one !== field), ...(isTheirs ? [field] : [])])
  const merged = rebase(base, mine, other, fromThem)
  // Versions do not include stock.
  const isNewVersion = [...changedFields(other, merged).keys()].some(
    (field) => !field.startsWith('inventory.'),
  )
  const conflicts = sides.filter(({ isConflict }) => isConflict).length
  return (
    <Modal opened onClose={close} size="xl" title={strings.conflict.title}>
      <div className={dialog.body}>
        <p className={styles.lead}>
          {strings.conflict.version(theirs.version)} <RelativeTime at={theirs.updated_at} isInSentence />.{' '}
          {conflicts === 0 ? strings.conflict.none : strings.conflict.some}
        </p>
        {sides.map((side) => (
          <FieldSides
            key={side.field}
            side={side}
            values={values}
            isTheirs={fromThem.includes(side.field)}
            choose={(isTheirs) => choose(side.field, isTheirs)}
          />
        ))}
        <div className={`${dialog.buttons} ${styles.foot}`}>
          <Button variant="default" onClick={close}>
            {strings.conflict.keepEditing}
          </Button>
          <Button onClick={() => save(merged)} data-autofocus>
            {isNewVersion ? strings.conflict.saveAs(theirs.version + 1) : strings.conflict.save}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

type Shown = Map<string, unknown>
type SidesProps = {
  side: Side
  values: { base: Shown; theirs: Shown; mine: Shown }
  isTheirs: boolean
  choose: (isTheirs: boolean) => void
}

function FieldSides({ side: { field, isConflict }, values, isTheirs, choose }: SidesProps) {
  const label = fieldLabel(field)
  return (
    <fieldset className={styles.field}>
      <legend>
        <bdi>{label}</bdi>
      </legend>
      <dl className={styles.sides}>
        <div>
          <dt>{strings.conflict.base}</dt>
          <dd>
            <ValueText value={values.base.get(field)} />
          </dd>
        </div>
        {isConflict && (
          <div data-chosen={isTheirs}>
            <dt>{strings.conflict.theirs}</dt>
            <dd>
              <ValueText value={values.theirs.get(field)} />
            </dd>
          </div>
        )}
        <div data-chosen={!isTheirs}>
          <dt>{strings.conflict.mine}</dt>
          <dd>
            <ValueText value={values.mine.get(field)} />
          </dd>
        </div>
      </dl>
      {isConflict && (
        <div className={styles.choice}>
          {[true, false].map((theirs) => (
            <label key={String(theirs)}>
              <input
                type="radio"
                name={`side of ${field}`}
                checked={isTheirs === theirs}
                onChange={() => choose(theirs)}
              />
              {theirs ? strings.conflict.takeTheirs : strings.conflict.keepMine}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
