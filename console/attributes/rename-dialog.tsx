import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { productLimits } from '../../src/model/limits/products.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { AttributeDefinition } from '../wire.ts'
import { createDefinition, proposeRename } from './changes.ts'

type Props = { project: number; definition: AttributeDefinition; close: () => void }

/** A rename changes products, so it is a proposal to look at and apply. */
export function RenameDialog({ project, definition, close }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: '', isDefined: true },
    validate: { name: (name) => (name.trim() === '' ? 'Say the new name.' : null) },
  })
  return (
    <FormDialog
      title={`Rename ${definition.name} in all products`}
      action="Propose the rename"
      form={form}
      send={async ({ name, isDefined }) => {
        if (isDefined) await createDefinition(project, { ...definition, name: name.trim() })
        return proposeRename(project, definition.name, name.trim())
      }}
      done={({ id }) => {
        void queries.invalidateQueries({ queryKey: ['project', project] })
        return navigate({
          to: '/projects/$projectId/proposals/$proposalId',
          params: { projectId: project, proposalId: id },
        })
      }}
      close={close}
    >
      <p>
        This makes a proposal: products change when it is applied. One that has both names keeps them. Delete
        the definition of {definition.name} afterwards.
      </p>
      <TextInput
        label="New name"
        maxLength={productLimits.attributeNameCharacters}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Define the new name in the same way"
        {...form.getInputProps('isDefined', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
