import { CodeBlock } from '../parts/code-block.tsx'
import { byTag, type Operation } from '../reference/document/operations.ts'
import { MethodTag } from '../reference/method-tag.tsx'
import { ParameterList } from '../reference/pages/parameters.tsx'
import styles from './reference-preview.module.css'
import { strings } from './strings.ts'

const mostParameters = 8

export function OperationList({ operations }: { operations: Operation[] }) {
  return (
    <div className={styles.list}>
      {byTag(operations).map(([tag, own]) => (
        <div key={tag}>
          <p className={styles.tag}>{tag}</p>
          {own.map(({ id, method, path, summary }) => (
            <div key={id} className={styles.entry}>
              <MethodTag method={method} />
              <div>
                <code>{path}</code>
                <p>{summary}</p>
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

type PanelProps = { operation: Operation; url: string; response: string }

export function OperationPanel({ operation, url, response }: PanelProps) {
  const { method, summary, parameters } = operation
  return (
    <article className={styles.panel}>
      <h3>{summary}</h3>
      <p className={styles.address}>
        <MethodTag method={method} /> <code>{url}</code>
      </p>
      <ParameterList parameters={parameters.slice(0, mostParameters)} />
      {parameters.length > mostParameters && (
        <p className={styles.more}>{strings.preview.moreParameters(parameters.length - mostParameters)}</p>
      )}
      <CodeBlock code={response} label={strings.preview.example} json copy={false} />
    </article>
  )
}
