import { CodeBlock } from '../parts/code-block.tsx'
import type { Operation } from './operations.ts'
import styles from './reference-preview.module.css'

const mostParameters = 8

export function OperationList({ operations }: { operations: Operation[] }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return (
    <div className={styles.list}>
      {tags.map((tag) => (
        <div key={tag}>
          <p className={styles.tag}>{tag}</p>
          {operations
            .filter((operation) => operation.tag === tag)
            .map(({ method, path, summary }) => (
              <div key={method + path} className={styles.entry}>
                <Method method={method} />
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

export function OperationPanel({
  operation,
  address,
  answer,
}: {
  operation: Operation
  address: string
  answer: string
}) {
  const { method, summary, parameters } = operation
  return (
    <article className={styles.panel}>
      <h3>{summary}</h3>
      <p className={styles.address}>
        <Method method={method} /> <code>{address}</code>
      </p>
      <table className={styles.parameters}>
        <tbody>
          {parameters.slice(0, mostParameters).map(({ name, description, schema }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{description ?? schema?.enum?.join(', ') ?? schema?.description ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {parameters.length > mostParameters && (
        <p className={styles.more}>and {parameters.length - mostParameters} more parameters</p>
      )}
      <CodeBlock code={answer} label="sample answer" json copy={false} />
    </article>
  )
}

function Method({ method }: { method: string }) {
  return <span className={styles.method}>{method.toUpperCase()}</span>
}
