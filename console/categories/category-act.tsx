import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { ListedCategory } from '../wire.ts'
import type { Act, ActProps } from './acts.ts'
import { type CategoryPlace, createCategory, deleteCategory, renameCategory } from './changes.ts'
import { MergeDialog, MoveDialog } from './place-dialogs.tsx'

type Props = Omit<ActProps, 'category'> & { act: Act }

export function CategoryAct({ act, ...rest }: Props) {
  const { project, done, close } = rest
  if (act.kind === 'create') return <CreateDialog {...rest} parent={act.category} />
  const { category } = act
  if (act.kind === 'rename') return <RenameDialog {...rest} category={category} />
  if (act.kind === 'move') return <MoveDialog {...rest} category={category} />
  if (act.kind === 'merge') return <MergeDialog {...rest} category={category} />
  return (
    <ConfirmDialog
      title={`Delete ${category.name}?`}
      action="Delete category"
      danger
      close={close}
      run={async () => {
        await deleteCategory(project, category.id)
        await done({ message: `${category.name} is deleted.`, shown: undefined })
      }}
    >
      No product has it, and none is below it. Only an empty category can be deleted.
    </ConfirmDialog>
  )
}

type CreateProps = Omit<ActProps, 'category'> & { parent: ListedCategory | null }

function CreateDialog({ project, parent, done, close }: CreateProps) {
  const form = useForm({ initialValues: { name: '', position: '0' } })
  return (
    <FormDialog
      title={parent === null ? 'New category' : `New category below ${parent.name}`}
      action="Create category"
      form={form}
      send={(values) => createCategory(project, { ...read(values), parent: parent?.id ?? null })}
      done={({ id, name }) => done({ message: `${name} is made.`, shown: id, opened: parent?.id })}
      close={close}
    >
      <NameFields form={form} />
    </FormDialog>
  )
}

function RenameDialog({ project, category, done, close }: ActProps) {
  const { id, name, position } = category
  const form = useForm({ initialValues: { name, position: String(position) } })
  return (
    <FormDialog
      title={`Rename ${name}`}
      action="Save"
      form={form}
      send={(values) => renameCategory(project, id, read(values))}
      done={(renamed) => done({ message: `Saved. All products show ${renamed.name} now.`, shown: id })}
      close={close}
    >
      <NameFields form={form} />
    </FormDialog>
  )
}

type Values = { name: string; position: string }
const read = ({ name, position }: Values): Omit<CategoryPlace, 'parent'> => ({
  name,
  // What is no number is sent as it is: the service says so at the field.
  position: /^\d+$/.test(position.trim()) ? Number(position) : (position as unknown as number),
})

function NameFields({ form }: { form: ReturnType<typeof useForm<Values>> }) {
  return (
    <>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Position"
        description="Among its siblings: lower numbers stand first, and those of one number by name."
        inputMode="numeric"
        {...form.getInputProps('position')}
      />
    </>
  )
}
