import { CodeBlock } from '../../parts/code-block.tsx'
import type { Content, Contents } from '../document/document.ts'
import { schemaTypeText } from '../document/schema-text.ts'
import { useDocument } from '../reference-context.ts'
import { Disclosure } from '../schema/disclosure.tsx'
import { SchemaTree } from '../schema/schema-tree.tsx'
import styles from './operation-page.module.css'

/** The schema of each media type. Only the first is open: the others are often the same. */
export function ContentSchemas({ contents }: { contents: Contents }) {
  return Object.entries(contents).map(([type, content], index) => {
    const name = <MediaType type={type} content={content} />
    const tree = () => content.schema && <SchemaTree schema={content.schema} />
    return (
      <div key={type}>
        {index === 0 ? name : <Disclosure summary={name}>{tree}</Disclosure>}
        {index === 0 && tree()}
      </div>
    )
  })
}

function MediaType({ type, content: { schema } }: { type: string; content: Content }) {
  const document = useDocument()
  return (
    <p className={styles.media}>
      <code>{type}</code> {schema !== undefined && schemaTypeText(schema, document)}
    </p>
  )
}

/** The example in the format of the media type. */
export function exampleText(type: string, example: unknown): string {
  if (typeof example === 'string') return example
  return type.includes('ndjson') ? `${JSON.stringify(example)}\n` : JSON.stringify(example, null, 2)
}

export function ExampleBlock({ type, example, label }: { type: string; example: unknown; label: string }) {
  const text = exampleText(type, example)
  return <CodeBlock code={text} label={label} json={type.includes('json')} />
}
