import { Title } from '@mantine/core'
import type { Parameter } from '../document/document.ts'
import { Named } from '../schema/schema-facts.tsx'
import styles from '../schema/schema-tree.module.css'
import { strings } from '../strings.ts'

/** The parameters of an operation, grouped by location. */
export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return [...Map.groupBy(parameters, (parameter) => parameter.in)].map(([group, own]) => (
    <section key={group}>
      <Title order={2}>{strings.operation.parameters[group]}</Title>
      <ParameterList parameters={own} />
    </section>
  ))
}

export function ParameterList({ parameters }: { parameters: Parameter[] }) {
  return (
    <ul className={styles.tree}>
      {parameters.map((parameter) => (
        <li key={`${parameter.in} ${parameter.name}`}>
          <Named
            name={parameter.name}
            schema={parameter.schema ?? {}}
            isRequired={parameter.required === true}
            description={parameter.description}
          />
        </li>
      ))}
    </ul>
  )
}
