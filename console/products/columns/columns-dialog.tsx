import { ActionIcon, Button, Modal } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { AttributeNameInput } from '../filters/attribute-name-input.tsx'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import { attributeColumn, columnLabel, defaultColumns, fieldColumns } from './column-names.ts'

type Props = {
  project: number
  columns: string[]
  choose: (columns: string[]) => void
  reset: () => void
  close: () => void
}

/** Selects and orders columns. Changes are visible immediately behind the dialog. */
export function ColumnsDialog({ project, columns, choose, reset, close }: Props) {
  const others = fieldColumns.filter((column) => !columns.includes(column))
  return (
    <Modal opened onClose={close} title={strings.columnsDialog.title}>
      <div className={styles.stack}>
        <VisibleColumns columns={columns} choose={choose} />
        {others.length > 0 && (
          <fieldset className={styles.more}>
            <legend>{strings.columnsDialog.addField}</legend>
            {others.map((column) => (
              <Button
                key={column}
                size="compact-sm"
                variant="default"
                leftSection={<Icon name="plus" size={13} />}
                onClick={() => choose([...columns, column])}
              >
                {columnLabel(column)}
              </Button>
            ))}
          </fieldset>
        )}
        <AddAttribute project={project} add={(column) => choose([...columns, column])} />
        <div className={styles.dialogButtons}>
          <Button variant="default" disabled={columns.join() === defaultColumns.join()} onClick={reset}>
            {strings.columnsDialog.reset}
          </Button>
          <Button onClick={close}>{strings.columnsDialog.done}</Button>
        </div>
      </div>
    </Modal>
  )
}

/** The SKU stays first because it identifies the row. */
function VisibleColumns({ columns, choose }: Pick<Props, 'columns' | 'choose'>) {
  const list = useRef<HTMLOListElement>(null)
  const move = (column: string, by: number) => {
    const others = columns.filter((one) => one !== column)
    choose(others.toSpliced(columns.indexOf(column) + by, 0, column))
  }
  const remove = (column: string) => {
    choose(columns.filter((one) => one !== column))
    // The focused button was removed.
    list.current?.querySelector('button')?.focus()
  }
  return (
    <ol ref={list} aria-label={strings.columnsDialog.list} className={styles.columns}>
      {columns.map((column, index) => (
        <li key={column}>
          <bdi>{columnLabel(column)}</bdi>
          {column === 'sku' ? (
            <span className={styles.always}>{strings.columnsDialog.alwaysFirst}</span>
          ) : (
            <>
              <Step column={column} way="up" isLast={index === 1} act={() => move(column, -1)} />
              <Step
                column={column}
                way="down"
                isLast={index === columns.length - 1}
                act={() => move(column, 1)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={strings.columnsDialog.hide(columnLabel(column))}
                onClick={() => remove(column)}
              >
                <Icon name="cross" size={15} />
              </ActionIcon>
            </>
          )}
        </li>
      ))}
    </ol>
  )
}

type StepProps = { column: string; way: 'up' | 'down'; isLast: boolean; act: () => void }

/** Not disabled at the first or last position, because a disabled button loses the focus. */
function Step({ column, way, isLast, act }: StepProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={strings.columnsDialog.move(columnLabel(column), way)}
      aria-disabled={isLast}
      onClick={() => {
        if (!isLast) act()
      }}
    >
      <Icon name={way} size={15} />
    </ActionIcon>
  )
}

function AddAttribute({ project, add }: { project: number; add: (column: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    add(attributeColumn(name.trim()))
    setName('')
  }
  return (
    <form onSubmit={submit} className={styles.addAttribute}>
      <AttributeNameInput
        project={project}
        label={strings.columnsDialog.addAttribute}
        value={name}
        onChange={setName}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''}>
        {strings.columnsDialog.add}
      </Button>
    </form>
  )
}
