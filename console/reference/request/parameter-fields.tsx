import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { OpenApiDocument, Parameter } from '../document/document.ts'
import { schemaTypeText, shapeOf, typesOf } from '../document/schema-text.ts'
import { useDocument } from '../reference-context.ts'
import { strings } from '../strings.ts'
import { keyOf, listOrMap, type Values } from './request.ts'
import styles from './test-request.module.css'

type Props = { parameters: Parameter[]; values: Values; change: (key: string, value: string) => void }

/** An empty field for each parameter. Only filled fields are sent. */
export function ParameterFields({ parameters, values, change }: Props) {
  const settable = parameters.filter((parameter) => parameter.in !== 'cookie')
  return [...Map.groupBy(settable, (parameter) => parameter.in)].map(([group, own]) => (
    <fieldset key={group} className={styles.group}>
      <legend>{strings.test.groups[group]}</legend>
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
    return <NativeSelect {...common} data={[{ value: '', label: strings.test.notSent }, ...choices]} />
  const kind = listOrMap(parameter)
  if (kind === 'map') return <Textarea {...common} rows={2} placeholder={strings.test.map} />
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
  if (kind === 'list') return strings.test.list
  const { default: value } = shapeOf(schema, document)
  return value === undefined ? schemaTypeText(schema, document) : strings.test.default(value)
}
