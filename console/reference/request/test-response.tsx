import { Alert } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { RawResponse } from '../../network.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ProblemAlert } from '../../parts/problem.tsx'
import type { Operation } from '../document/operations.ts'
import operationStyles from '../pages/operation-page.module.css'
import { strings } from '../strings.ts'
import styles from './test-request.module.css'

/** Headers that are useful to clients. */
const shownHeaders = [
  'Content-Type',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]
const mostCharacters = 60_000
const mostColored = 20_000

type Props = {
  operation: Operation
  hasToken: boolean
  response: RawResponse | undefined
  error: Error | undefined
}

export function TestResponse({ operation, hasToken, response, error }: Props) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (response !== undefined || error !== undefined) section.current?.scrollIntoView()
  }, [response, error])
  return (
    <section ref={section} aria-label={strings.test.response} className={styles.response}>
      <p role="status" className={styles.status}>
        {response === undefined ? (
          error === undefined ? (
            strings.test.noResponseYet
          ) : (
            ''
          )
        ) : (
          <Status {...response} />
        )}
      </p>
      {error !== undefined && <ProblemAlert error={error} />}
      {response?.status === 401 && operation.needsToken && !hasToken && (
        <Alert color="yellow" title={strings.test.tokenMissing}>
          {strings.test.tokenMissingHint}
        </Alert>
      )}
      {response !== undefined && <Received response={response} />}
    </section>
  )
}

function Status({ status, statusText, milliseconds }: RawResponse) {
  return (
    <>
      <strong className={operationStyles.status} data-class={String(status)[0]}>
        {status} {statusText}
      </strong>{' '}
      {strings.test.duration(Math.round(milliseconds))}
    </>
  )
}

function Received({ response: { headers, text, isCut } }: { response: RawResponse }) {
  const facts = shownHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, <code key={name}>{value}</code>]]
  })
  const isJson = headers.get('content-type')?.includes('json') === true
  const shown = isJson && !isCut ? pretty(text) : text
  const isShort = shown.length <= mostCharacters
  return (
    <>
      <Facts facts={Object.fromEntries(facts)} />
      {(isCut || !isShort) && <p className={styles.cut}>{strings.test.truncated}</p>}
      {text === '' ? (
        <p className={styles.cut}>{strings.test.noBody}</p>
      ) : (
        <CodeBlock
          code={isShort ? shown : shown.slice(0, mostCharacters)}
          label={strings.test.bodyLabel}
          json={isJson && shown.length <= mostColored}
        />
      )}
    </>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
