import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { Form, useSubmission } from '../forms/form.tsx'
import { ActionDialog } from './dialogs.tsx'

type Props<Values extends Record<string, unknown>, Result> = {
  title: string
  action: string
  danger?: boolean
  size?: 'md' | 'lg'
  form: UseFormReturnType<Values>
  send: (values: Values) => Promise<Result>
  done: (response: Result) => unknown
  close: () => void
  children: ReactNode
}

/** A form in a dialog. Shows errors from the service at their fields. */
export function FormDialog<Values extends Record<string, unknown>, Result>(props: Props<Values, Result>) {
  const { title, action, danger = false, size = 'md', form, send, done, close, children } = props
  const submission = useSubmission(form, send, done)
  return (
    <ActionDialog
      title={title}
      size={size}
      isPending={submission.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <Form submission={submission} action={action} danger={danger} cancel={close}>
        {children}
      </Form>
    </ActionDialog>
  )
}
