import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { ListedCategory } from '../wire.ts'
import type { ActionProps, CategoryAction } from './actions.ts'
import { type CategoryPlace, createCategory, deleteCategory, renameCategory } from './changes.ts'
import { MergeDialog, MoveDialog } from './move-dialogs.tsx'
import { strings } from './strings.ts'

type Props = Omit<ActionProps, 'category'> & { action: CategoryAction }

export function CategoryActionDialog({ action, ...rest }: Props) {
  const { project, done, close } = rest
  if (action.kind === 'create') return <CreateDialog {...rest} parent={action.category} />
  const { category } = action
  if (action.kind === 'rename') return <EditDialog {...rest} category={category} />
  if (action.kind === 'move') return <MoveDialog {...rest} category={category} />
  if (action.kind === 'merge') return <MergeDialog {...rest} category={category} />
  return (
    <ConfirmDialog
      title={strings.delete.title(category.name)}
      action={strings.delete.action}
      danger
      close={close}
      run={async () => {
        await deleteCategory(project, category.id)
        await done({ message: strings.delete.deleted(category.name), shown: undefined })
      }}
    >
      {strings.delete.text}
    </ConfirmDialog>
  )
}

type CreateProps = Omit<ActionProps, 'category'> & { parent: ListedCategory | null }

function CreateDialog({ project, parent, done, close }: CreateProps) {
  const form = useForm({ initialValues: { name: '', position: '0' } })
  return (
    <FormDialog
      title={parent === null ? strings.create.title : strings.create.titleBelow(parent.name)}
      action={strings.create.action}
      form={form}
      send={(values) => createCategory(project, { ...read(values), parent: parent?.id ?? null })}
      done={({ id, name }) => done({ message: strings.create.created(name), shown: id, opened: parent?.id })}
      close={close}
    >
      <NameFields form={form} />
    </FormDialog>
  )
}

function EditDialog({ project, category, done, close }: ActionProps) {
  const { id, name, position } = category
  const form = useForm({ initialValues: { name, position: String(position) } })
  return (
    <FormDialog
      title={strings.edit.title(name)}
      action={strings.edit.action}
      form={form}
      send={(values) => renameCategory(project, id, read(values))}
      done={(saved) => done({ message: strings.edit.saved(saved.name), shown: id })}
      close={close}
    >
      <NameFields form={form} />
    </FormDialog>
  )
}

type Values = { name: string; position: string }
const read = ({ name, position }: Values): Omit<CategoryPlace, 'parent'> => ({
  name,
  // Invalid numbers are sent as is, so that the service reports them at the field.
  position: /^\d+$/.test(position.trim()) ? Number(position) : (position as unknown as number),
})

function NameFields({ form }: { form: ReturnType<typeof useForm<Values>> }) {
  return (
    <>
      <TextInput label={strings.fields.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={strings.fields.position}
        description={strings.fields.positionHint}
        inputMode="numeric"
        {...form.getInputProps('position')}
      />
    </>
  )
}
