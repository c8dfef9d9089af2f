import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { savedViewLimits } from '../../src/model/limits/saved-views.ts'
import { ActionDialog, ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import type { SavedView } from '../wire.ts'
import { strings } from './strings.ts'
import type { SavedViews } from './use-saved-views.ts'

export type ViewDialog = { action: 'save' } | { action: 'rename' | 'delete'; view: SavedView }
type Props = { views: SavedViews; dialog: ViewDialog; close: () => void }

/** Asks for a name or a confirmation. */
export function ViewDialogs({ views, dialog, close }: Props) {
  if (dialog.action === 'save')
    return (
      <NameDialog
        title={strings.save.title}
        action={strings.save.action}
        hint={strings.save.hint}
        initial=""
        run={views.save}
        close={close}
      />
    )
  const { view } = dialog
  if (dialog.action === 'rename')
    return (
      <NameDialog
        title={strings.rename.title}
        action={strings.rename.action}
        initial={view.name}
        run={(name) => views.rename(view, name)}
        close={close}
      />
    )
  return (
    <ConfirmDialog
      title={strings.delete.title}
      action={strings.delete.action}
      danger
      run={async () => {
        await views.remove(view)
        close()
      }}
      close={close}
    >
      <bdi>{view.name}</bdi> {strings.delete.text}
    </ConfirmDialog>
  )
}

type NameProps = {
  title: string
  action: string
  hint?: string
  initial: string
  run: (name: string) => Promise<unknown>
  close: () => void
}

function NameDialog({ title, action, hint, initial, run, close }: NameProps) {
  const form = useForm({ initialValues: { name: initial } })
  const submission = useSubmission(form, ({ name }) => run(name), close)
  return (
    <ActionDialog title={title} isPending={submission.isPending} isFilled={form.isDirty()} close={close}>
      <Form submission={submission} action={action} cancel={close}>
        <TextInput
          label={strings.save.name}
          description={hint}
          required
          maxLength={savedViewLimits.nameCharacters}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </Form>
    </ActionDialog>
  )
}
