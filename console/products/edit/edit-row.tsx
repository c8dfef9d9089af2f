import { ActionIcon, NativeSelect } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { AttributeNameInput } from '../filters/attribute-name-input.tsx'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import { type EditField, editFields, marketEditFields, newDraft, operationsOf } from './edit-draft.ts'
import { EditValue, type ValueProps } from './edit-value.tsx'

type Props = ValueProps & {
  number: number
  /** Whether only fields that can differ in a language or market are offered. */
  isInMarket: boolean
  remove: (() => void) | undefined
}

/** One edit: field, operation and value. */
export function EditRow({ project, draft, number, isInMarket, errorOf, change, remove }: Props) {
  return (
    <fieldset className={styles.edit}>
      <legend className="unseen">{strings.edit.number(number)}</legend>
      <div className={styles.editHead}>
        <NativeSelect
          label={strings.edit.field}
          data-autofocus={number === 1 || undefined}
          data={isInMarket ? marketEditFields : editFields}
          value={draft.field}
          error={errorOf('field')}
          onChange={({ currentTarget }) =>
            change({ ...newDraft(currentTarget.value as EditField), key: draft.key })
          }
        />
        <NativeSelect
          label={strings.edit.operation}
          data={operationsOf[draft.field]}
          value={draft.op}
          error={errorOf('op')}
          onChange={({ currentTarget }) => change({ op: currentTarget.value })}
        />
        {remove !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={strings.edit.remove(number)}
            onClick={remove}
          >
            <Icon name="cross" size={16} />
          </ActionIcon>
        )}
      </div>
      {draft.field === 'attribute' && (
        <AttributeNameInput
          project={project}
          label={strings.edit.attribute}
          value={draft.attribute}
          error={errorOf('attribute')}
          onChange={(attribute) => change({ attribute })}
        />
      )}
      <EditValue project={project} draft={draft} errorOf={errorOf} change={change} />
    </fieldset>
  )
}
