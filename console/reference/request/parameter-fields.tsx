import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { OpenApiDocument, Parameter } from '../document/document.ts'
import { shapeOf, typesOf, typeText } from '../document/schema-text.ts'
import { useDocument } from '../reference-context.ts'
import { keyOf, listOrMap, type Values } from './request.ts'
import styles from './test-request.module.css'

const legends = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' }

type Props = { parameters: Parameter[]; values: Values; change: (key: string, value: string) => void }

/** A field for each parameter, all of them empty: nothing is sent but what a person fills in. */
export function ParameterFields({ parameters, values, change }: Props) {
  const settable = parameters.filter((parameter) => parameter.in !== 'cookie')
  return [...Map.groupBy(settable, (parameter) => parameter.in)].map(([place, own]) => (
    <fieldset key={place} className={styles.group}>
      <legend>{legends[place]}</legend>
      <div className={styles.grid}>
        {own.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[keyOf(parameter)] ?? ''}
            change={(value) => change(keyOf(parameter), value)}
          />
        ))}
      </div>
    </fieldset>
  ))
}

type FieldProps = { parameter: Parameter; value: string; change: (value: string) => void }

function ParameterField({ parameter, value, change }: FieldProps) {
  const document = useDocument()
  const common = {
    label: parameter.name,
    required: parameter.in === 'path' || parameter.required === true,
    value,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  const choices = choicesOf(parameter, document)
  if (choices !== undefined)
    return <NativeSelect {...common} data={[{ value: '', label: 'not sent' }, ...choices]} />
  const kind = listOrMap(parameter)
  if (kind === 'map') return <Textarea {...common} rows={2} placeholder="name=value, one a line" />
  return <TextInput {...common} placeholder={placeholderOf(parameter, kind, document)} autoComplete="off" />
}

function choicesOf({ schema = {} }: Parameter, document: OpenApiDocument): string[] | undefined {
  const shape = shapeOf(schema, document)
  if (shape.enum !== undefined) return shape.enum.map(String)
  return typesOf(shape).join() === 'boolean' ? ['true', 'false'] : undefined
}

function placeholderOf(
  { schema = {} }: Parameter,
  kind: 'list' | 'value',
  document: OpenApiDocument,
): string {
  if (kind === 'list') return 'with commas between'
  const { default: standard } = shapeOf(schema, document)
  return standard === undefined ? typeText(schema, document) : `${standard} unless given`
}
