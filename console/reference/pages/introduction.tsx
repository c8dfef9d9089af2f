import { Title } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import { byTag } from '../document/operations.ts'
import { headingsOf, Markdown } from '../markdown.tsx'
import { useDocument, useReference } from '../reference-context.ts'
import { TagSection } from './tag-page.tsx'

/** What the document says of itself, and every operation that it has. */
export function Introduction() {
  const document = useDocument()
  const { operations } = useReference()
  const { title = 'API', version, description } = document.info ?? {}
  return (
    <Page title="API reference" lead={version === undefined ? title : `${title}, version ${version}`}>
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

/** What the document says of its tokens, where its own text does not. */
function Authentication() {
  const { components } = useDocument()
  const schemes = Object.entries(components?.['securitySchemes'] ?? {}) as [
    string,
    { description?: string },
  ][]
  if (schemes.length === 0) return null
  return (
    <section>
      <Title order={2}>Authentication</Title>
      {schemes.map(([name, { description = name }]) => (
        <Markdown key={name} text={`${description}, in the header \`Authorization: Bearer …\``} />
      ))}
    </section>
  )
}
