import { Button, Title } from '@mantine/core'
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
import { CodeSamples } from './code-samples.tsx'
import { ContentSchemas, ExampleBlock } from './contents.tsx'
import styles from './operation-page.module.css'
import { Parameters } from './parameters.tsx'
import { Responses } from './responses.tsx'

/** All about one operation: what it takes and returns on one side, how a program calls it on the other. */
export function OperationPage({ operation }: { operation: Operation }) {
  const { summary, description, parameters, body, responses, isDeprecated } = operation
  return (
    <article>
      <title>{`${summary} · API reference`}</title>
      <Title order={1}>{summary}</Title>
      {isDeprecated && <Tag tone="yellow">Deprecated</Tag>}
      <Address operation={operation} />
      <div className={styles.columns}>
        <div className={styles.takes}>
          {description !== '' && <Markdown text={description} level={2} />}
          <Needs operation={operation} />
          <Parameters parameters={parameters} />
          {body !== undefined && <RequestBody body={body} />}
          <Responses responses={responses} />
        </div>
        <div className={styles.samples}>
          <Title order={2}>Code samples</Title>
          <CodeSamples operation={operation} />
          <SampleResponse operation={operation} />
        </div>
      </div>
    </article>
  )
}

function Address({ operation }: { operation: Operation }) {
  const { server, test } = useReference()
  const address = baseOf(operation, server) + operation.path
  return (
    <div className={styles.address}>
      <MethodTag method={operation.method} />
      <code>{address.slice(location.origin.length)}</code>
      <CopyButton text={address} label="Copy address" />
      <Button leftSection={<Icon name="send" size={16} />} onClick={() => test(operation)}>
        Test Request
      </Button>
    </div>
  )
}

function Needs({ operation: { needsToken, scopes } }: { operation: Operation }) {
  if (!needsToken) return <p className={styles.needs}>Needs no token.</p>
  return (
    <p className={styles.needs}>
      Needs a token
      {scopes.length > 0 && ' with the scope '}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </p>
  )
}

function RequestBody({ body: { description, required, content = {} } }: { body: Body }) {
  return (
    <section>
      <Title order={2}>Body {required === true && <span className={styles.required}>required</span>}</Title>
      {description !== undefined && <Markdown text={description} />}
      <ContentSchemas contents={content} />
    </section>
  )
}

/** The first success that has a body. */
function SampleResponse({ operation }: { operation: Operation }) {
  const document = useDocument()
  const success = operation.responses.find(([status, { content }]) => status.startsWith('2') && content)
  const [content] = Object.entries(success?.[1].content ?? {})
  if (success === undefined || content === undefined) return null
  const example = exampleOf(content[1], document)
  if (example === undefined) return null
  return (
    <>
      <Title order={2}>Sample answer</Title>
      <ExampleBlock type={content[0]} example={example} label="sample answer" />
    </>
  )
}
