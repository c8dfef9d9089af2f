import { Checkbox, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { productLimits } from '../../src/model/limits/products.ts'
import { Boxes } from '../parts/forms/boxes.tsx'
import { FieldRow } from '../parts/forms/form.tsx'
import { CategoriesSelect } from '../products/filters/category-select.tsx'
import { typeChoices } from '../products/words.ts'
import type { ProductType } from '../wire.ts'
import styles from './attributes.module.css'
import { type DefinitionValues, takes } from './definition-form.ts'
import { modeWords, typeWords } from './words.ts'

type Props = { project: number; form: UseFormReturnType<DefinitionValues>; isNew: boolean }

const types = Object.entries(typeWords).map(([value, label]) => ({ value, label }))

const modes = Object.entries(modeWords).map(([value, { text, what }]) => ({
  value,
  label: `${text}: ${what}`,
}))

export function DefinitionFields({ project, form, isNew }: Props) {
  const { type } = form.values
  return (
    <>
      {isNew && (
        <TextInput
          label="Name"
          description="Exactly as products have it; it cannot change later"
          maxLength={productLimits.attributeNameCharacters}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <FieldRow>
        <TextInput label="Label" placeholder="What people read" {...form.getInputProps('label')} />
        <NativeSelect label="Type" data={types} {...form.getInputProps('type')} />
      </FieldRow>
      {takes.isChoice(type) && (
        <TagsInput
          label="Choices"
          description="Enter ends each"
          acceptValueOnBlur
          comboboxProps={{ withinPortal: false }}
          {...form.getInputProps('allowed')}
        />
      )}
      {takes.isBounded(type) && (
        <FieldRow>
          <TextInput
            label="Least"
            placeholder={type === 'date' ? '2026-01-31' : ''}
            {...form.getInputProps('min')}
          />
          <TextInput label="Largest" {...form.getInputProps('max')} />
        </FieldRow>
      )}
      {takes.isText(type) && (
        <FieldRow>
          <TextInput label="Pattern" placeholder="Such as [A-Z]{2}\d+" {...form.getInputProps('pattern')} />
          <TextInput
            label="Longest"
            inputMode="numeric"
            placeholder="Characters"
            {...form.getInputProps('max_length')}
          />
        </FieldRow>
      )}
      <FieldRow>
        <TextInput label="Unit" placeholder="Such as cm" {...form.getInputProps('unit')} />
        <TextInput label="Group" placeholder="Shown together with" {...form.getInputProps('group')} />
        <TextInput label="Position" inputMode="numeric" {...form.getInputProps('position')} />
      </FieldRow>
      <Checkbox
        label="A product may have several values"
        {...form.getInputProps('multiple', { type: 'checkbox' })}
      />
      <RequiredFields project={project} form={form} />
      <NativeSelect label="Mode" data={modes} {...form.getInputProps('mode')} />
      <Textarea label="Description" autosize minRows={1} maxRows={5} {...form.getInputProps('description')} />
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
        label="Active products have to have it"
        checked={required_for.isRequired}
        onChange={({ currentTarget }) => set({ isRequired: currentTarget.checked })}
      />
      {required_for.isRequired && (
        <div className={styles.scope}>
          <Checkbox.Group
            label="Only these types"
            description="None means all"
            value={required_for.product_types}
            onChange={(product_types) => set({ product_types: product_types as ProductType[] })}
          >
            <Boxes choices={typeChoices} />
          </Checkbox.Group>
          <CategoriesSelect
            project={project}
            label="Only in these categories"
            value={required_for.categories}
            error={form.errors['required_for']}
            choose={(categories) => set({ categories })}
          />
        </div>
      )}
    </>
  )
}
