import { Alert, Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useSyncExternalStore } from 'react'
import { ProblemError, UnreachableError } from '../network.ts'
import { Icon } from './icons.tsx'
import { strings } from './strings.ts'

type ProblemProps = { title?: string; error: Error; retry?: (() => void) | undefined }

/** Shows the service's error message and what to do. */
export function ProblemAlert({ title = strings.problem.title, error, retry }: ProblemProps) {
  const isOnlineAgain = useIsOnlineAgain(error)
  if (isOnlineAgain) return <OnlineAgain retry={retry} />
  // No request ID for an expired session, because it needs no support.
  const requestId = error instanceof ProblemError && error.status !== 401 ? error.requestId : undefined
  return (
    <Alert color="red" variant="light" role="alert" icon={<Icon name="alert" />} title={title}>
      {describe(error)}
      {requestId !== undefined && (
        <>
          {' '}
          <span className="tabular">{strings.problem.request(requestId)}</span>
        </>
      )}
      {retry !== undefined && <RetryButton retry={retry} />}
    </Alert>
  )
}

/** Replaces an offline message that is no longer true. */
function OnlineAgain({ retry }: Pick<ProblemProps, 'retry'>) {
  return (
    <Alert
      color="accent"
      variant="light"
      role="status"
      icon={<Icon name="check" />}
      title={strings.problem.onlineTitle}
    >
      {strings.problem.onlineText}
      {retry !== undefined && <RetryButton retry={retry} />}
    </Alert>
  )
}

function RetryButton({ retry }: { retry: () => void }) {
  return (
    <div>
      <Button size="xs" variant="default" mt="sm" onClick={retry}>
        {strings.problem.retry}
      </Button>
    </div>
  )
}

/** Whether the error was caused by an offline browser that is online again. */
export function useIsOnlineAgain(error: Error | null): boolean {
  const isOnline = useOnline()
  return isOnline && error instanceof UnreachableError && error.wasOffline
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const events = ['online', 'offline']
      for (const event of events) window.addEventListener(event, changed)
      return () => {
        for (const event of events) window.removeEventListener(event, changed)
      }
    },
    () => navigator.onLine,
  )
}

/** The message, with errors that belong to no field. */
function describe(error: Error): string {
  if (!(error instanceof ProblemError)) return error.message
  const loose = error.fieldErrors.filter(({ pointer }) => pointer === undefined || pointer === '')
  return [error.message, ...loose.map(parameterError)].join(' ')
}

/** The message of a parameter error does not include the parameter name. */
function parameterError({ parameter, message }: ProblemError['fieldErrors'][number]): string {
  return parameter === undefined ? message : `${parameter} ${message}`
}

/** Shows each error at its field. Returns the error to show above the form; undefined if every error has a field. */
export function showFieldErrors<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
): Error | undefined {
  if (!(error instanceof ProblemError)) return error as Error
  const values = form.getValues()
  const atFields: Record<string, string> = {}
  let found = 0
  for (const { pointer = '', message } of error.fieldErrors) {
    const field = pointer.split('/')[1]
    if (field === undefined || !(field in values)) continue
    atFields[field] ??= asSentence(message)
    found += 1
  }
  form.setErrors(atFields)
  const first = Object.keys(atFields)[0]
  if (first !== undefined) form.getInputNode(first)?.focus()
  return found > 0 && found === error.fieldErrors.length ? undefined : error
}

/** Assigns an error without a pointer to a field, such as a duplicate name. */
export function atField(code: string, pointer: string) {
  return (error: unknown): never => {
    if (!(error instanceof ProblemError) || error.code !== code) throw error
    const { status, message } = error
    throw new ProblemError(status, { detail: message, code, errors: [{ pointer, code, message }] }, null)
  }
}

/** Turns a message such as "is not your password" into a sentence. */
export function asSentence(message: string): string {
  const subject = /^(is|are|must|may|has|does|can|cannot|needs)\b/.test(message) ? 'This ' : ''
  const text = subject + inWords(message)
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}

/** Replaces operators and type names with words. */
export function inWords(message: string): string {
  return message
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must NOT have', 'must not have')
    .replace(/^must be number\b/, 'must be a number')
    .replace(/^must be integer\b/, 'must be a whole number')
    .replace(/ or null$/, ' or empty')
}
