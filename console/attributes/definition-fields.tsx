import { Checkbox, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { productLimits } from '../../src/model/limits/products.ts'
import { Boxes } from '../parts/forms/boxes.tsx'
import { FieldRow } from '../parts/forms/form.tsx'
import { typeChoices } from '../products/filter-labels.ts'
import { CategoriesSelect } from '../products/filters/category-select.tsx'
import type { ProductType } from '../wire.ts'
import styles from './attributes.module.css'
import { type DefinitionValues, takes } from './definition-form.ts'
import { attributeTypeLabels, modeLabels } from './labels.ts'
import { strings } from './strings.ts'

type Props = { project: number; form: UseFormReturnType<DefinitionValues>; isNew: boolean }

const types = Object.entries(attributeTypeLabels).map(([value, label]) => ({ value, label }))

const modes = Object.entries(modeLabels).map(([value, { text, what }]) => ({
  value,
  label: strings.form.modeChoice(text, what),
}))

export function DefinitionFields({ project, form, isNew }: Props) {
  const { type } = form.values
  return (
    <>
      {isNew && (
        <TextInput
          label={strings.form.name}
          description={strings.form.nameHint}
          maxLength={productLimits.attributeNameCharacters}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <FieldRow>
        <TextInput
          label={strings.form.label}
          placeholder={strings.form.labelPlaceholder}
          {...form.getInputProps('label')}
        />
        <NativeSelect label={strings.form.type} data={types} {...form.getInputProps('type')} />
      </FieldRow>
      {takes.isChoice(type) && (
        <TagsInput
          label={strings.form.choices}
          description={strings.form.choicesHint}
          acceptValueOnBlur
          {...form.getInputProps('allowed')}
        />
      )}
      {takes.isBounded(type) && (
        <FieldRow>
          <TextInput
            label={strings.form.min}
            placeholder={type === 'date' ? '2026-01-31' : ''}
            {...form.getInputProps('min')}
          />
          <TextInput label={strings.form.max} {...form.getInputProps('max')} />
        </FieldRow>
      )}
      {takes.isText(type) && (
        <FieldRow>
          <TextInput
            label={strings.form.pattern}
            placeholder={strings.form.patternExample}
            {...form.getInputProps('pattern')}
          />
          <TextInput
            label={strings.form.maxLength}
            inputMode="numeric"
            placeholder={strings.form.maxLengthPlaceholder}
            {...form.getInputProps('max_length')}
          />
        </FieldRow>
      )}
      <FieldRow>
        <TextInput
          label={strings.form.unit}
          placeholder={strings.form.unitExample}
          {...form.getInputProps('unit')}
        />
        <TextInput
          label={strings.form.group}
          placeholder={strings.form.groupPlaceholder}
          {...form.getInputProps('group')}
        />
        <TextInput label={strings.form.position} inputMode="numeric" {...form.getInputProps('position')} />
      </FieldRow>
      <Checkbox label={strings.form.multiple} {...form.getInputProps('multiple', { type: 'checkbox' })} />
      <RequiredFields project={project} form={form} />
      <NativeSelect label={strings.form.mode} data={modes} {...form.getInputProps('mode')} />
      <Textarea
        label={strings.form.description}
        autosize
        minRows={1}
        maxRows={5}
        {...form.getInputProps('description')}
      />
    </>
  )
}

function RequiredFields({ project, form }: Pick<Props, 'project' | 'form'>) {
  const { required_for } = form.values
  const set = (some: Partial<DefinitionValues['required_for']>) => {
    form.clearFieldError('required_for')
    form.setFieldValue('required_for', { ...required_for, ...some })
  }
  return (
    <>
      <Checkbox
        label={strings.form.required}
        checked={required_for.isRequired}
        onChange={({ currentTarget }) => set({ isRequired: currentTarget.checked })}
      />
      {required_for.isRequired && (
        <div className={styles.scope}>
          <Checkbox.Group
            label={strings.form.requiredTypes}
            description={strings.form.requiredTypesHint}
            value={required_for.product_types}
            onChange={(product_types) => set({ product_types: product_types as ProductType[] })}
          >
            <Boxes choices={typeChoices} />
          </Checkbox.Group>
          <CategoriesSelect
            project={project}
            label={strings.form.requiredCategories}
            value={required_for.categories}
            error={form.errors['required_for']}
            choose={(categories) => set({ categories })}
          />
        </div>
      )}
    </>
  )
}
