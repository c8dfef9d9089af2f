import { Title } from '@mantine/core'
import type { Parameter } from '../document/document.ts'
import { Named } from '../schema/schema-facts.tsx'
import styles from '../schema/schema-tree.module.css'

const places = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
  cookie: 'Cookies',
}

/** The parameters of an operation, by where they stand. */
export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return [...Map.groupBy(parameters, (parameter) => parameter.in)].map(([place, own]) => (
    <section key={place}>
      <Title order={2}>{places[place]}</Title>
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
