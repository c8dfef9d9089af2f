import { Anchor, Button, Title } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import type { Operation } from '../document/operations.ts'
import { Markdown } from '../markdown.tsx'
import { MethodTag } from '../method-tag.tsx'
import { useDocument, useReference } from '../reference-context.ts'
import { hrefOf } from '../route.ts'
import { strings } from '../strings.ts'
import styles from './tag-page.module.css'

export function TagPage({ tag, operations }: { tag: string; operations: Operation[] }) {
  return (
    <Page title={tag}>
      <TagDescription tag={tag} />
      <OperationList operations={operations} />
    </Page>
  )
}

/** A tag in the introduction. */
export function TagSection({ tag, operations }: { tag: string; operations: Operation[] }) {
  return (
    <section className={styles.section}>
      <Title order={2}>
        <a href={hrefOf({ kind: 'tag', tag })} className={styles.heading}>
          {tag}
        </a>
      </Title>
      <TagDescription tag={tag} />
      <OperationList operations={operations} />
    </section>
  )
}

function TagDescription({ tag }: { tag: string }) {
  const document = useDocument()
  const text = document.tags?.find(({ name }) => name === tag)?.description
  return text === undefined ? null : <Markdown text={text} />
}

function OperationList({ operations }: { operations: Operation[] }) {
  const { test } = useReference()
  return (
    <ul className={styles.list}>
      {operations.map((operation) => (
        <li key={operation.id} className={styles.entry}>
          <MethodTag method={operation.method} />
          <div className={styles.name}>
            <a href={hrefOf({ kind: 'operation', id: operation.id })}>{operation.summary}</a>
            <code>{operation.path}</code>
          </div>
          <Button variant="default" size="compact-xs" onClick={() => test(operation)}>
            {strings.operation.test}
          </Button>
        </li>
      ))}
    </ul>
  )
}

export function MissingRoute() {
  return (
    <Page title={strings.missing.title} lead={strings.missing.lead}>
      <p>
        <Anchor href={hrefOf({ kind: 'introduction' })}>{strings.missing.home}</Anchor>
      </p>
    </Page>
  )
}
