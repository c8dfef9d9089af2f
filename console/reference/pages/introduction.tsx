import { Title } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import { byTag } from '../document/operations.ts'
import { headingsOf, Markdown } from '../markdown.tsx'
import { useDocument, useReference } from '../reference-context.ts'
import { strings } from '../strings.ts'
import { TagSection } from './tag-page.tsx'

/** The description of the document, and all operations. */
export function Introduction() {
  const document = useDocument()
  const { operations } = useReference()
  const { title = strings.introduction.untitled, version, description } = document.info ?? {}
  return (
    <Page
      title={strings.title}
      lead={version === undefined ? title : strings.introduction.version(title, version)}
    >
      {description !== undefined && <Markdown text={description} level={2} />}
      {!headingsOf(description ?? '').some(({ slug }) => slug.includes('authentication')) && (
        <Authentication />
      )}
      {byTag(operations).map(([tag, own]) => (
        <TagSection key={tag} tag={tag} operations={own} />
      ))}
    </Page>
  )
}

/** The security schemes, if the description has no section on authentication. */
function Authentication() {
  const { components } = useDocument()
  const schemes = Object.entries(components?.['securitySchemes'] ?? {}) as [
    string,
    { description?: string },
  ][]
  if (schemes.length === 0) return null
  return (
    <section>
      <Title order={2}>{strings.introduction.authentication}</Title>
      {schemes.map(([name, { description = name }]) => (
        <Markdown key={name} text={strings.introduction.header(description)} />
      ))}
    </section>
  )
}
