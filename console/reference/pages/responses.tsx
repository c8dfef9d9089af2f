import { Title } from '@mantine/core'
import type { ResponseObject } from '../document/document.ts'
import { exampleOf } from '../document/examples.ts'
import { problemExample } from '../document/problem-example.ts'
import { Markdown } from '../markdown.tsx'
import { useDocument } from '../reference-context.ts'
import { Disclosure } from '../schema/disclosure.tsx'
import { Named } from '../schema/schema-facts.tsx'
import tree from '../schema/schema-tree.module.css'
import { strings } from '../strings.ts'
import { ContentSchemas, ExampleBlock } from './contents.tsx'
import styles from './operation-page.module.css'

/** The responses by status. Schema and example are rendered on demand. */
export function Responses({ responses }: { responses: [status: string, response: ResponseObject][] }) {
  return (
    <section>
      <Title order={2}>{strings.operation.responses}</Title>
      <ul className={tree.tree}>
        {responses.map(([status, response]) => (
          <li key={status}>
            <OneResponse status={status} response={response} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OneResponse({ status, response }: { status: string; response: ResponseObject }) {
  const { description = '', content, headers } = response
  const summary = (
    <span className={styles.response}>
      <span className={styles.status} data-class={status[0]}>
        {status}
      </span>
      <Markdown text={description} />
    </span>
  )
  if (content === undefined && headers === undefined)
    return <div className={styles.plainResponse}>{summary}</div>
  return (
    <Disclosure summary={summary}>{() => <ResponseDetails status={status} response={response} />}</Disclosure>
  )
}

function ResponseDetails({ status, response }: { status: string; response: ResponseObject }) {
  const document = useDocument()
  const { headers = {}, content = {} } = response
  return (
    <div className={styles.responseDetails}>
      {Object.keys(headers).length > 0 && (
        <div>
          <p className={styles.media}>{strings.operation.headers}</p>
          <ul className={tree.tree}>
            {Object.entries(headers).map(([name, header]) => (
              <li key={name}>
                <Named
                  name={name}
                  schema={header.schema ?? {}}
                  isRequired={false}
                  description={header.description}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      <ContentSchemas contents={content} />
      {Object.entries(content).map(([type, one]) => {
        const given = exampleOf(one, document)
        const example = type === 'application/problem+json' ? problemExample(given, status, response) : given
        if (example === undefined) return null
        return (
          <ExampleBlock
            key={type}
            type={type}
            example={example}
            label={`${strings.operation.exampleResponseLabel} ${status}`}
          />
        )
      })}
    </div>
  )
}
