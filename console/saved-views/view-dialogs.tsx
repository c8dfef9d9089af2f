import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { savedViewLimits } from '../../src/model/limits/saved-views.ts'
import { ActionDialog, ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../parts/forms/form.tsx'
import type { SavedView } from '../wire.ts'
import { strings } from './strings.ts'
import type { SavedViews } from './use-saved-views.ts'

export type ViewDialog = { action: 'save' } | { action: 'edit' | 'delete'; view: SavedView }
type Props = { views: SavedViews; dialog: ViewDialog; close: () => void }

/** Asks for a name or a confirmation. */
export function ViewDialogs({ views, dialog, close }: Props) {
  if (dialog.action === 'save')
    return (
      <NameDialog
        title={strings.save.title}
        action={strings.save.action}
        hint={strings.save.hint}
        initial={{ name: '', shared: false }}
        run={views.save}
        close={close}
      />
    )
  const { view } = dialog
  if (dialog.action === 'edit')
    return (
      <NameDialog
        title={strings.edit.title}
        action={strings.edit.action}
        initial={{ name: view.name, shared: view.shared }}
        run={(given) => views.edit(view, given)}
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
      <bdi>{view.name}</bdi> {view.shared ? strings.delete.sharedText : strings.delete.text}
    </ConfirmDialog>
  )
}

type NameProps = {
  title: string
  action: string
  hint?: string
  initial: { name: string; shared: boolean }
  run: (given: { name: string; shared: boolean }) => Promise<unknown>
  close: () => void
}

function NameDialog({ title, action, hint, initial, run, close }: NameProps) {
  const form = useForm({ initialValues: initial })
  const submission = useSubmission(form, run, close)
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
        <Checkbox
          label={strings.save.share}
          description={strings.save.shareHint}
          {...form.getInputProps('shared', { type: 'checkbox' })}
        />
      </Form>
    </ActionDialog>
  )
}
