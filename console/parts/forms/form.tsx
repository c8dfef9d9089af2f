import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import dialog from '../dialogs/dialogs.module.css'
import { ProblemAlert, showFieldErrors } from '../problem.tsx'
import { strings } from '../strings.ts'
import styles from './form.module.css'

type Submission = {
  submit: (event?: FormEvent<HTMLFormElement>) => void
  isPending: boolean
  /** The error that belongs to no field. */
  problem: Error | undefined
}

/** Sends the form and shows errors from the service at their fields. */
export function useSubmission<Values extends Record<string, unknown>, Result>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<Result>,
  done: (response: Result) => unknown,
): Submission {
  const [problem, setProblem] = useState<Error>()
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (response) => {
      setProblem(undefined)
      return done(response)
    },
    onError: (error) => setProblem(showFieldErrors(form, error)),
  })
  const submit = form.onSubmit((values) => mutation.mutate(values))
  return { submit, isPending: mutation.isPending, problem }
}

type FormProps = {
  submission: Submission
  action: string
  danger?: boolean
  /** Closes the dialog that contains the form. */
  cancel?: () => void
  wide?: boolean
  /** Disables the button, because nothing changed. */
  isUnchanged?: boolean
  children: ReactNode
}

export function Form({
  submission,
  action,
  danger = false,
  cancel,
  wide = false,
  isUnchanged = false,
  children,
}: FormProps) {
  const { submit, isPending, problem } = submission
  return (
    <form className={wide || cancel ? styles.form : styles.narrowForm} noValidate onSubmit={submit}>
      {problem !== undefined && <ProblemAlert error={problem} />}
      {children}
      <div className={cancel === undefined ? undefined : dialog.buttons}>
        {cancel !== undefined && (
          <Button variant="default" onClick={cancel} disabled={isPending}>
            {strings.dialog.cancel}
          </Button>
        )}
        <Button type="submit" color={danger ? 'red' : 'accent'} loading={isPending} disabled={isUnchanged}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** Fields side by side if the screen is wide enough. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
