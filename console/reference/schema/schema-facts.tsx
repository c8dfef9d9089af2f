import type { ReactNode } from 'react'
import type { Schema } from '../document/document.ts'
import { constraintsOf, innerSchema, schemaTypeText, shapeOf } from '../document/schema-text.ts'
import { Markdown } from '../markdown.tsx'
import { useDocument } from '../reference-context.ts'
import { strings } from '../strings.ts'
import { Disclosure } from './disclosure.tsx'
import styles from './schema-tree.module.css'

const mostValues = 12

type NamedProps = { name: string; schema: Schema; isRequired: boolean; description?: string | undefined }

/** A property or parameter. */
export function Named({ name, schema, isRequired, description }: NamedProps) {
  const document = useDocument()
  return (
    <>
      <p className={styles.line}>
        <code className={styles.name}>{name}</code>
        <span className={styles.type}>{schemaTypeText(schema, document)}</span>
        {isRequired && <span className={styles.required}>{strings.schema.required}</span>}
        {schema.deprecated === true && <span className={styles.required}>{strings.schema.deprecated}</span>}
      </p>
      <SchemaFacts schema={schema} description={description} />
    </>
  )
}

/** The description and the constraints of a value. */
export function SchemaFacts({ schema, description }: { schema: Schema; description?: string | undefined }) {
  const document = useDocument()
  const shape = shapeOf(schema, document)
  const inner = innerSchema(shape)
  const values = shape.enum ?? (inner && shapeOf(inner, document).enum)
  const text = description ?? shape.description
  const facts: ReactNode[] = constraintsOf(shape)
  if (shape.default !== undefined)
    facts.push(<Fact label={strings.schema.default} values={[shape.default]} />)
  if (values !== undefined) facts.push(<AllowedValues values={values} />)
  if (shape.const !== undefined) facts.push(<Fact label={strings.schema.always} values={[shape.const]} />)
  if (typeof shape['pattern'] === 'string')
    facts.push(<Fact label={strings.schema.pattern} values={[shape['pattern']]} />)
  return (
    <div className={styles.facts}>
      {text !== undefined && text !== '' && <Markdown text={text} />}
      {facts.length > 0 && (
        <div className={styles.factLine}>
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no other identity
            <span key={index} className={styles.fact}>
              {fact}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

/** Long lists are collapsed. */
function AllowedValues({ values }: { values: unknown[] }) {
  if (values.length <= mostValues) return <Fact label={strings.schema.oneOf} values={values} />
  return (
    <Disclosure summary={strings.schema.oneOfMany(values.length)}>
      {() => <Fact label="" values={values} />}
    </Disclosure>
  )
}

function Fact({ label, values }: { label: string; values: unknown[] }) {
  return (
    <>
      {label}{' '}
      {values.map((value) => (
        <code key={JSON.stringify(value)}>
          {typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}
        </code>
      ))}
    </>
  )
}
