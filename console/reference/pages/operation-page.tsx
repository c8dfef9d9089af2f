import { Button, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Tag } from '../../parts/badges.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import type { Body } from '../document/document.ts'
import { exampleOf } from '../document/examples.ts'
import type { Operation } from '../document/operations.ts'
import { Markdown } from '../markdown.tsx'
import { MethodTag } from '../method-tag.tsx'
import { useDocument, useReference } from '../reference-context.ts'
import { baseOf } from '../request/request.ts'
import { strings } from '../strings.ts'
import { ContentSchemas, ExampleBlock } from './contents.tsx'
import styles from './operation-page.module.css'
import { Parameters } from './parameters.tsx'
import { Responses } from './responses.tsx'

/** Loaded with the first operation, because the contents of the reference need no samples. */
const CodeSamples = lazy(async () => ({ default: (await import('./code-samples.tsx')).CodeSamples }))

/** One operation: its description on one side, code samples on the other. */
export function OperationPage({ operation }: { operation: Operation }) {
  const { summary, description, parameters, body, responses, isDeprecated } = operation
  return (
    <article>
      <title>{strings.operationTitle(summary)}</title>
      <Title order={1}>{summary}</Title>
      {isDeprecated && <Tag tone="yellow">{strings.operation.deprecated}</Tag>}
      <OperationUrl operation={operation} />
      <div className={styles.columns}>
        <div className={styles.takes}>
          {description !== '' && <Markdown text={description} level={2} />}
          <Authorization operation={operation} />
          <Parameters parameters={parameters} />
          {body !== undefined && <RequestBody body={body} />}
          <Responses responses={responses} />
        </div>
        <div className={styles.samples}>
          <Title order={2}>{strings.operation.codeExamples}</Title>
          <Suspense fallback={null}>
            <CodeSamples operation={operation} />
          </Suspense>
          <SampleResponse operation={operation} />
        </div>
      </div>
    </article>
  )
}

function OperationUrl({ operation }: { operation: Operation }) {
  const { server, test } = useReference()
  const url = baseOf(operation, server) + operation.path
  return (
    <div className={styles.address}>
      <MethodTag method={operation.method} />
      <code>{url.slice(location.origin.length)}</code>
      <CopyButton text={url} label={strings.operation.copyUrl} />
      <Button leftSection={<Icon name="send" size={16} />} onClick={() => test(operation)}>
        {strings.operation.test}
      </Button>
    </div>
  )
}

function Authorization({ operation: { needsToken, scopes } }: { operation: Operation }) {
  if (!needsToken) return <p className={styles.needs}>{strings.operation.noToken}</p>
  return (
    <p className={styles.needs}>
      {strings.operation.token}
      {scopes.length > 0 && strings.operation.scope}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </p>
  )
}

function RequestBody({ body: { description, required, content = {} } }: { body: Body }) {
  return (
    <section>
      <Title order={2}>
        {strings.operation.body}{' '}
        {required === true && <span className={styles.required}>{strings.operation.required}</span>}
      </Title>
      {description !== undefined && <Markdown text={description} />}
      <ContentSchemas contents={content} />
    </section>
  )
}

/** The first successful response with a body. */
function SampleResponse({ operation }: { operation: Operation }) {
  const document = useDocument()
  const success = operation.responses.find(([status, { content }]) => status.startsWith('2') && content)
  const [content] = Object.entries(success?.[1].content ?? {})
  if (success === undefined || content === undefined) return null
  const example = exampleOf(content[1], document)
  if (example === undefined) return null
  return (
    <>
      <Title order={2}>{strings.operation.exampleResponse}</Title>
      <ExampleBlock type={content[0]} example={example} label={strings.operation.exampleResponseLabel} />
    </>
  )
}
