import type { Schema } from '../document/document.ts'
import { innerSchema, schemaTypeText, shapeOf, variantsOf } from '../document/schema-text.ts'
import { useDocument } from '../reference-context.ts'
import { strings } from '../strings.ts'
import { Disclosure } from './disclosure.tsx'
import { Named, SchemaFacts } from './schema-facts.tsx'
import styles from './schema-tree.module.css'

const deepest = 10

/** The properties of a value, nested on demand. */
export function SchemaTree({ schema, depth = 0 }: { schema: Schema; depth?: number }) {
  const document = useDocument()
  const shape = shapeOf(schema, document)
  const inner = innerSchema(shape)
  if (depth > deepest) return <p className={styles.note}>{strings.schema.nested}</p>
  if (shape.properties !== undefined) return <Properties shape={shape} depth={depth} />
  if (variantsOf(shape).length > 0) return <Variants shape={shape} depth={depth} />
  if (inner !== undefined) return <SchemaTree schema={inner} depth={depth + 1} />
  return <SchemaFacts schema={schema} />
}

function Properties({ shape, depth }: { shape: Schema; depth: number }) {
  return (
    <ul className={styles.tree}>
      {Object.entries(shape.properties ?? {}).map(([name, property]) => (
        <li key={name}>
          <Named name={name} schema={property} isRequired={shape.required?.includes(name) === true} />
          <Inside schema={property} name={name} depth={depth + 1} />
        </li>
      ))}
      {typeof shape.additionalProperties === 'object' && (
        <li>
          <Named name={strings.schema.anyOtherName} schema={shape.additionalProperties} isRequired={false} />
        </li>
      )}
    </ul>
  )
}

/** The variants of a value. Nested variants are collapsed. */
function Variants({ shape, depth }: { shape: Schema; depth: number }) {
  const document = useDocument()
  return (
    <ul className={styles.tree}>
      {variantsOf(shape).map((variant, index) => {
        const name = <VariantName index={index} schema={variant} />
        const tree = () => <SchemaTree schema={variant} depth={depth + 1} />
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: variants have no other identity
          <li key={index}>
            {hasInside(shapeOf(variant, document)) ? <Disclosure summary={name}>{tree}</Disclosure> : name}
            {!hasInside(shapeOf(variant, document)) && <SchemaFacts schema={variant} />}
          </li>
        )
      })}
    </ul>
  )
}

function VariantName({ index, schema }: { index: number; schema: Schema }) {
  const document = useDocument()
  const { title, properties } = shapeOf(schema, document)
  const keys = Object.keys(properties ?? {}).slice(0, 3)
  const type = title ?? schemaTypeText(schema, document)
  return (
    <span>
      {index === 0 ? strings.schema.either : strings.schema.or}
      <code>{type === 'object' && keys.length > 0 ? strings.schema.objectWith(keys) : type}</code>
    </span>
  )
}

function hasInside(shape: Schema): boolean {
  return shape.properties !== undefined || variantsOf(shape).length > 0 || innerSchema(shape) !== undefined
}

function Inside({ schema, name, depth }: { schema: Schema; name: string; depth: number }) {
  const document = useDocument()
  if (!leadsFurther(shapeOf(schema, document), (inner) => shapeOf(inner, document))) return null
  return (
    <div className={styles.inside}>
      <Disclosure summary={<span>{strings.schema.properties(name)}</span>}>
        {() => <SchemaTree schema={schema} depth={depth} />}
      </Disclosure>
    </div>
  )
}

/** Whether there is more to show than the type, as in an array of objects. */
function leadsFurther(shape: Schema, follow: (schema: Schema) => Schema, depth = 0): boolean {
  if (shape.properties !== undefined) return true
  if (variantsOf(shape).some((variant) => depth < 4 && leadsFurther(follow(variant), follow, depth + 1)))
    return true
  const inner = innerSchema(shape)
  return inner !== undefined && depth < 4 && leadsFurther(follow(inner), follow, depth + 1)
}
