import { Alert, Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useSyncExternalStore } from 'react'
import { ProblemError, UnreachableError } from '../network.ts'
import { Icon } from './icons.tsx'
import { strings } from './strings.ts'

type ProblemProps = { title?: string; error: Error; retry?: (() => void) | undefined }

/** What went wrong and what to do, in the service's own words. */
export function ProblemAlert({ title = strings.problem.title, error, retry }: ProblemProps) {
  const isPast = useIsPast(error)
  if (isPast) return <OnlineAgain retry={retry} />
  // The end of a session is nothing to ask the operator about.
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

/** In place of a note that would say what is no longer so. */
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

/** Whether the error says that the browser is offline, and it no longer is. */
export function useIsPast(error: Error | null): boolean {
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

/** The sentence of the problem, with those faults that no field can show. */
function describe(error: Error): string {
  if (!(error instanceof ProblemError)) return error.message
  const loose = error.faults.filter(({ pointer }) => pointer === undefined || pointer === '')
  return [error.message, ...loose.map(faultWords)].join(' ')
}

/** A fault of an address says what holds of a parameter, whose name stands apart from it. */
function faultWords({ parameter, message }: ProblemError['faults'][number]): string {
  return parameter === undefined ? message : `${parameter} ${message}`
}

/**
 * Puts each fault at its field. The answer is what is left to show above the form: nothing when every fault found a field.
 */
export function showFaults<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
): Error | undefined {
  if (!(error instanceof ProblemError)) return error as Error
  const values = form.getValues()
  const atFields: Record<string, string> = {}
  let found = 0
  for (const { pointer = '', message } of error.faults) {
    const field = pointer.split('/')[1]
    if (field === undefined || !(field in values)) continue
    atFields[field] ??= asSentence(message)
    found += 1
  }
  form.setErrors(atFields)
  const first = Object.keys(atFields)[0]
  if (first !== undefined) form.getInputNode(first)?.focus()
  return found > 0 && found === error.faults.length ? undefined : error
}

/** Gives a problem without a place the field that it speaks of, such as a name that is taken. */
export function atField(code: string, pointer: string) {
  return (error: unknown): never => {
    if (!(error instanceof ProblemError) || error.code !== code) throw error
    const { status, message } = error
    throw new ProblemError(status, { detail: message, code, errors: [{ pointer, code, message }] }, null)
  }
}

/** The service says what holds of the value, such as "is not your password"; at a field that is a sentence. */
export function asSentence(message: string): string {
  const subject = /^(is|are|must|may|has|does|can|cannot|needs)\b/.test(message) ? 'This ' : ''
  const text = subject + inWords(message)
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}

/** Without the signs and names of types that programs read. */
function inWords(message: string): string {
  return message
    .replace('must be >= ', 'must be at least ')
    .replace('must be <= ', 'must be at most ')
    .replace('must NOT have', 'must not have')
    .replace(/^must be number\b/, 'must be a number')
    .replace(/^must be integer\b/, 'must be a whole number')
    .replace(/ or null$/, ', or empty')
}
