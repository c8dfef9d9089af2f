import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { Boxes } from '../../parts/forms/boxes.tsx'
import { FieldRow } from '../../parts/forms/form.tsx'
import { definitionsQuery } from '../../product/queries.ts'
import styles from '../prompt-runs.module.css'
import { strings } from './strings.ts'
import { writableTexts } from './writable-fields.ts'
import { keyOf, type Priced, type WriteForm } from './write-form.ts'

/** The fields that the model writes: text fields and defined attributes. */
export function FieldBoxes({ project, form }: { project: number; form: WriteForm }) {
  const { data } = useQuery(definitionsQuery(project))
  const attributes = data?.results ?? []
  // A rule can be about an attribute without a definition.
  const others = form.values.write.filter(
    (field) =>
      !writableTexts.includes(field) && !attributes.some(({ name }) => field === `attributes.${name}`),
  )
  const choices = [
    ...writableTexts.map((field) => ({ value: field, label: fieldLabel(field) })),
    ...others.map((field) => ({ value: field, label: strings.attribute(fieldLabel(field)) })),
    ...attributes.map(({ name, label }) => ({
      value: `attributes.${name}`,
      label: strings.attribute(label ?? name),
    })),
  ]
  return (
    <Checkbox.Group label={strings.fields} {...form.getInputProps('write')}>
      <Boxes choices={choices} />
    </Checkbox.Group>
  )
}

type CostProps = { form: WriteForm; models: Priced[]; isOne: boolean }

/** The model, the sample and the budget. */
export function CostFields({ form, models, isOne }: CostProps) {
  const chosen = models.find((one) => keyOf(one) === form.values.model)
  const groups = [...Map.groupBy(models, ({ provider }) => provider)].map(([group, own]) => ({
    group,
    items: own.map((one) => ({ value: keyOf(one), label: one.name })),
  }))
  return (
    <>
      <NativeSelect label={strings.model} data={groups} {...form.getInputProps('model')} />
      <FieldRow>
        {!isOne && (
          <TextInput
            label={strings.sample}
            description={strings.sampleHint}
            inputMode="numeric"
            {...form.getInputProps('sample')}
          />
        )}
        {chosen?.isFree === false && (
          <TextInput
            label={strings.budget(chosen.currency)}
            description={strings.budgetHint}
            inputMode="decimal"
            {...form.getInputProps('budget')}
          />
        )}
      </FieldRow>
      {chosen?.isFree === true && <p className={styles.note}>{strings.free}</p>}
    </>
  )
}
