import { isNotEmpty, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { AiProvider } from '../wire.ts'
import { deleteProvider, putProvider, settingsOf } from './changes.ts'
import { KeyField, ProviderDialog } from './provider-dialog.tsx'
import { providersKey } from './queries.ts'
import { strings } from './strings.ts'
import { TestDialog } from './test-dialog.tsx'

export type ProviderAction = 'test' | 'edit' | 'key' | 'enable' | 'delete'

type Props = { project: number; provider: AiProvider; action: ProviderAction; close: () => void }

export function ProviderActionDialog({ project, provider, action, close }: Props) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: providersKey(project) })
  const report = (message: string) => () => {
    refresh()
    notifySuccess(message)
    close()
  }
  const props = { project, provider, close }
  switch (action) {
    case 'test':
      return <TestDialog {...props} refresh={refresh} />
    case 'edit':
      return <ProviderDialog {...props} done={report(strings.form.saved)} />
    case 'key':
      return <KeyDialog {...props} done={report(strings.key.done)} />
    case 'enable':
      return (
        <ConfirmDialog
          title={strings.enable.title(provider.name)}
          action={strings.enable.action}
          close={close}
          run={async () => {
            await putProvider(project, provider.name, settingsOf(provider))
            report(strings.enable.done)()
          }}
        >
          {strings.enable.text}
        </ConfirmDialog>
      )
    case 'delete':
      return (
        <ConfirmDialog
          title={strings.delete.title(provider.name)}
          action={strings.delete.action}
          danger
          close={close}
          run={async () => {
            await deleteProvider(project, provider.name)
            report(strings.delete.done)()
          }}
        >
          {strings.delete.text}
        </ConfirmDialog>
      )
  }
}

type KeyProps = Omit<Props, 'action'> & { done: () => void }

function KeyDialog({ project, provider, done, close }: KeyProps) {
  const form = useForm({ initialValues: { key: '' }, validate: { key: isNotEmpty(strings.key.missing) } })
  return (
    <FormDialog
      title={strings.key.title(provider.name)}
      action={strings.key.action}
      form={form}
      send={({ key }) => putProvider(project, provider.name, { ...settingsOf(provider), key: key.trim() })}
      done={done}
      close={close}
    >
      <div>{strings.key.text}</div>
      <KeyField label={strings.key.label} data-autofocus {...form.getInputProps('key')} />
    </FormDialog>
  )
}
