import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { namedCategoriesQuery } from '../attributes/queries.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { Boxes } from '../parts/forms/boxes.tsx'
import { FieldRow } from '../parts/forms/form.tsx'
import { typeChoices } from '../products/filter-labels.ts'
import { AttributeNameInput } from '../products/filters/attribute-name-input.tsx'
import { CategoriesSelect, type Choice, categoryPath } from '../products/filters/category-select.tsx'
import type { ProductType, QualityPreview, QualityRule } from '../wire.ts'
import { previewRules } from './changes.ts'
import { messageOf, type RuleValues, ruleOf, ruleValues, withRulePointers } from './rule-form.ts'
import { kindChoices, type RuleSetting, ruleKinds, textChoices } from './rule-kinds.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  rules: QualityRule[]
  /** The index of the rule; the number of rules for a new one. */
  index: number
  rule: QualityRule
  done: (rules: QualityRule[], preview: QualityPreview) => void
  close: () => void
}

export function RuleDialog(props: Props) {
  const ids = props.rule.categories ?? []
  const { data } = useQuery(namedCategoriesQuery(props.project, ids))
  if (ids.length > 0 && data === undefined) return null
  const choices = ids.map((id) => {
    const category = data?.find((one) => one.id === id)
    return {
      value: String(id),
      label: category === undefined ? strings.form.category(id) : categoryPath(category),
    }
  })
  return <RuleForm {...props} categories={choices} />
}

/** Previews the rule with the others before it is added to the list. Saves nothing. */
function RuleForm({
  project,
  rules,
  index,
  rule,
  done,
  close,
  categories,
}: Props & { categories: Choice[] }) {
  const isNew = index === rules.length
  const form = useForm<RuleValues>({ initialValues: ruleValues(rule, categories) })
  return (
    <FormDialog
      title={isNew ? strings.form.newTitle : strings.form.editTitle(rule.code)}
      size="lg"
      action={strings.form.preview}
      form={form}
      send={async (values) => {
        const next = rules.toSpliced(index, 1, ruleOf(values, rule))
        return { next, preview: await previewRules(project, next).catch(withRulePointers(index)) }
      }}
      done={({ next, preview }) => done(next, preview)}
      close={close}
    >
      <RuleFields project={project} form={form} before={rule} />
    </FormDialog>
  )
}

type FieldsProps = {
  project: number
  form: ReturnType<typeof useForm<RuleValues>>
  before: QualityRule
}

function RuleFields({ project, form, before }: FieldsProps) {
  const { kind, attribute, product_types, categories } = form.values
  const has = (setting: RuleSetting) => ruleKinds[kind].settings.includes(setting)
  return (
    <>
      <FieldRow>
        <TextInput
          label={strings.form.code}
          placeholder={strings.form.codeExample}
          data-autofocus
          {...form.getInputProps('code')}
        />
        <TextInput label={strings.form.points} inputMode="numeric" {...form.getInputProps('points')} />
      </FieldRow>
      <NativeSelect label={strings.form.kind} data={kindChoices} {...form.getInputProps('kind')} />
      {has('field') && (
        <NativeSelect label={strings.form.field} data={textChoices} {...form.getInputProps('field')} />
      )}
      {has('attribute') && (
        <AttributeNameInput
          project={project}
          label={strings.form.attribute}
          value={attribute}
          error={form.errors['attribute']}
          onChange={(name) => form.setFieldValue('attribute', name)}
        />
      )}
      {(has('min') || has('max')) && (
        <FieldRow>
          {has('min') && (
            <TextInput label={strings.form.min} inputMode="numeric" {...form.getInputProps('min')} />
          )}
          {has('max') && (
            <TextInput label={strings.form.max} inputMode="numeric" {...form.getInputProps('max')} />
          )}
        </FieldRow>
      )}
      {has('pattern') && (
        <TextInput
          label={strings.form.pattern}
          description={strings.form.patternHint}
          {...form.getInputProps('pattern')}
        />
      )}
      <Checkbox.Group
        label={strings.form.types}
        description={strings.form.typesHint}
        value={product_types}
        error={form.errors['product_types']}
        onChange={(types) => form.setFieldValue('product_types', types as ProductType[])}
      >
        <Boxes choices={typeChoices} />
      </Checkbox.Group>
      <CategoriesSelect
        project={project}
        label={strings.form.categories}
        value={categories}
        error={form.errors['categories']}
        choose={(chosen) => form.setFieldValue('categories', chosen)}
      />
      <Textarea
        label={strings.form.message}
        description={strings.form.messageHint}
        autosize
        minRows={1}
        {...form.getInputProps('message')}
        value={messageOf(form.values, before)}
      />
    </>
  )
}
