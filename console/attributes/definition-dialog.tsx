import { Alert } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { categoryPath } from '../products/filters/category-select.tsx'
import type { AttributeDefinition, AttributePreview } from '../wire.ts'
import { changeDefinition, createDefinition } from './changes.ts'
import { DefinitionFields } from './definition-fields.tsx'
import { definitionOf, definitionValues } from './definition-form.ts'
import { InvalidProducts } from './invalid-products.tsx'
import { namedCategoriesQuery, previewDefinition } from './queries.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  /** The stored or suggested definition. */
  definition: AttributeDefinition
  isNew: boolean
  done: (definition: AttributeDefinition) => unknown
  close: () => void
}

/** Loads the category names that the form needs. */
export function DefinitionDialog(props: Props) {
  const ids = props.definition.required_for?.categories ?? []
  const { data } = useQuery(namedCategoriesQuery(props.project, ids))
  const choices = ids.map((id) => {
    const category = data?.find((one) => one.id === id)
    return {
      value: String(id),
      label: category === undefined ? strings.form.category(id) : categoryPath(category),
    }
  })
  if (ids.length > 0 && data === undefined) return null
  return <DefinitionForm {...props} categories={choices} />
}

type Result = { preview: AttributePreview } | { saved: AttributeDefinition }

/** Before a definition is enforced, shows which products violate it. */
function DefinitionForm({
  project,
  definition,
  isNew,
  done,
  close,
  categories,
}: Props & { categories: { value: string; label: string }[] }) {
  const [preview, setPreview] = useState<AttributePreview>()
  const form = useForm({
    initialValues: definitionValues(definition, categories),
    onValuesChange: () => setPreview(undefined),
  })
  const isToAsk = form.values.mode === 'enforce' && (isNew || definition.mode !== 'enforce')
  const send = async (values: typeof form.values): Promise<Result> => {
    const body = definitionOf(values)
    if (isToAsk && preview === undefined) return { preview: await previewDefinition(project, body) }
    return { saved: await (isNew ? createDefinition : changeDefinition)(project, body) }
  }
  const action = isToAsk
    ? preview === undefined
      ? strings.form.check
      : strings.form.enforce
    : isNew
      ? strings.form.define
      : strings.form.save
  return (
    <FormDialog
      title={isNew ? strings.form.newTitle : strings.form.editTitle(definition.name)}
      size="lg"
      action={action}
      form={form}
      send={send}
      done={(response) => ('saved' in response ? done(response.saved) : setPreview(response.preview))}
      close={close}
    >
      <DefinitionFields project={project} form={form} isNew={isNew} />
      {preview !== undefined && (
        <Alert
          color={preview.offending > 0 ? 'yellow' : 'accent'}
          role="status"
          icon={<Icon name={preview.offending > 0 ? 'alert' : 'check'} />}
          title={preview.offending > 0 ? strings.form.someInvalid : strings.form.noneInvalid}
        >
          {preview.offending > 0 && strings.form.invalidHint}
          <InvalidProducts project={project} attribute={form.values.name} preview={preview} />
        </Alert>
      )}
    </FormDialog>
  )
}
