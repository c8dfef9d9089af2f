import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { productLimits } from '../../src/model/limits/products.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { AttributeDefinition } from '../wire.ts'
import { createDefinition, proposeRename } from './changes.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  definition: AttributeDefinition
  /** A similar attribute that should replace this one. */
  to?: string | undefined
  close: () => void
}

/** A rename changes products, so it creates a proposal to review. */
export function RenameDialog({ project, definition, to, close }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: to ?? '', isDefined: to === undefined },
    validate: { name: (name) => (name.trim() === '' ? strings.rename.missing : null) },
  })
  return (
    <FormDialog
      title={strings.rename.title(definition.name)}
      action={strings.rename.action}
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
        {strings.rename.text} {to === undefined && strings.rename.deleteAfterward(definition.name)}
      </p>
      <TextInput
        label={strings.rename.name}
        maxLength={productLimits.attributeNameCharacters}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {to === undefined && (
        <Checkbox
          label={strings.rename.copyDefinition}
          {...form.getInputProps('isDefined', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  )
}
