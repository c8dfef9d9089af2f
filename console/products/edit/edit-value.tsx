import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import type { FieldOf } from '../../../src/model/fields/product-fields.ts'
import { productLimits } from '../../../src/model/limits/products.ts'
import { numberHint } from '../../parts/numbers/number-hint.ts'
import { fieldChoices } from '../filter-labels.ts'
import { CategoriesSelect } from '../filters/category-select.tsx'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import { isCalculated } from './calculations.ts'
import { type EditDraft, fieldKind, isNumeric, sizeOf, valueKinds } from './edit-draft.ts'
import { RoundFields } from './round-fields.tsx'

export type ValueProps = {
  project: number
  draft: EditDraft
  errorOf: (name: string) => ReactNode
  change: (some: Partial<EditDraft>) => void
}

/** The value input for the operation. */
export function EditValue({ project, draft, errorOf, change }: ValueProps) {
  const { field, op, value } = draft
  const given = {
    value,
    description: isNumeric(draft) ? numberHint(value) : undefined,
    error: errorOf('value'),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ value: currentTarget.value }),
  }
  if (op === 'clear') return null
  if (op === 'replace') return <ReplaceFields draft={draft} errorOf={errorOf} change={change} />
  const kind = fieldKind(field)
  if (kind === 'categories')
    return (
      <CategoriesSelect
        project={project}
        label={strings.edit.categories}
        value={draft.categories}
        error={errorOf('value')}
        choose={(categories) => change({ categories })}
      />
    )
  if (kind === 'choice')
    return (
      <NativeSelect
        label={strings.edit.newValue(fieldLabel(field))}
        data={fieldChoices[field as FieldOf<'choice'>]}
        {...given}
      />
    )
  if (kind === 'price' || isCalculated(op))
    return (
      <>
        <TextInput
          label={
            op === 'raise' || op === 'lower' || op === 'set' ? strings.edit.amount : strings.edit.percent
          }
          inputMode="decimal"
          {...given}
        />
        {isCalculated(op) && <RoundFields draft={draft} error={errorOf('round')} change={change} />}
      </>
    )
  if (op === 'rename')
    return (
      <TextInput label={strings.edit.newName} maxLength={productLimits.attributeNameCharacters} {...given} />
    )
  if (field === 'attribute' && op === 'set')
    return <AttributeValue draft={draft} given={given} change={change} />
  return sizeOf(field) === 'line' ? (
    <TextInput label={strings.edit.text} {...given} />
  ) : (
    <Textarea label={strings.edit.text} autosize minRows={2} maxRows={8} {...given} />
  )
}

function ReplaceFields({ draft, errorOf, change }: Omit<ValueProps, 'project'>) {
  return (
    <>
      <TextInput
        label={strings.edit.find}
        description={strings.edit.findHint}
        value={draft.find}
        error={errorOf('find')}
        onChange={({ currentTarget }) => change({ find: currentTarget.value })}
      />
      <TextInput
        label={strings.edit.replaceWith}
        value={draft.with}
        error={errorOf('with')}
        onChange={({ currentTarget }) => change({ with: currentTarget.value })}
      />
    </>
  )
}

type Given = {
  value: string
  description: string | undefined
  error: ReactNode
  onChange: (event: { currentTarget: { value: string } }) => void
}

function AttributeValue({
  draft,
  given,
  change,
}: {
  draft: EditDraft
  given: Given
  change: ValueProps['change']
}) {
  return (
    <div className={styles.editHead}>
      <NativeSelect
        label={strings.edit.valueKind}
        data={valueKinds}
        value={draft.kind}
        onChange={({ currentTarget: { value: kind } }) =>
          change({ kind, value: kind === 'boolean' ? 'true' : '' })
        }
      />
      {draft.kind === 'boolean' ? (
        <NativeSelect
          label={strings.edit.value}
          data={[
            { value: 'true', label: strings.edit.yes },
            { value: 'false', label: strings.edit.no },
          ]}
          {...given}
        />
      ) : draft.kind === 'list' ? (
        <Textarea label={strings.edit.values} autosize minRows={2} maxRows={8} {...given} />
      ) : (
        <TextInput
          label={strings.edit.value}
          inputMode={draft.kind === 'number' ? 'decimal' : 'text'}
          {...given}
        />
      )}
    </div>
  )
}
