import { Anchor, Title, type TitleOrder } from '@mantine/core'
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ReactNode } from 'react'
import { CodeBlock } from '../parts/code-block.tsx'
import styles from './markdown.module.css'
import { strings } from './strings.ts'

type Props = { text: string; level?: number }

/** Renders CommonMark as elements, never as raw HTML. The top headings get the given level. */
export function Markdown({ text, level = 3 }: Props) {
  const tokens = lexer(text)
  const top = Math.min(...tokens.map((token) => (token.type === 'heading' ? token['depth'] : 6)))
  return <div className={styles.text}>{blocks(tokens, level - top)}</div>
}

/** The top headings of a text, each with its slug. */
export function headingsOf(text: string): { slug: string; title: string }[] {
  const headings = lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading')
  const top = Math.min(...headings.map(({ depth }) => depth))
  return headings
    .filter(({ depth }) => depth === top)
    .map((heading) => ({ slug: slugOf(heading), title: plain(heading.tokens) }))
}

export const sectionId = (slug: string) => `section-${slug}`

function slugOf({ tokens }: Tokens.Heading): string {
  return plain(tokens)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

function plain(tokens: Token[] = []): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? token['text'] : '',
    )
    .join('')
}

function blocks(tokens: Token[], shift: number): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes, so its parts have no other identity
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} shift={shift} />)
}

function Block({ token, shift }: { token: MarkedToken; shift: number }): ReactNode {
  switch (token.type) {
    case 'heading': {
      const order = Math.min(6, Math.max(2, token.depth + shift)) as TitleOrder
      return (
        <Title order={order} id={sectionId(slugOf(token))} tabIndex={-1}>
          {inline(token.tokens)}
        </Title>
      )
    }
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'text':
      return token.tokens === undefined ? token.text : inline(token.tokens)
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul'
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      const items = token.items.map((item, index) => <li key={index}>{blocks(item.tokens, shift)}</li>)
      return <List>{items}</List>
    }
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, shift)}</blockquote>
    case 'code':
      return (
        <CodeBlock
          code={token.text}
          label={token.lang || strings.operation.example}
          json={token.lang === 'json'}
        />
      )
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'html':
      return token.text
    default:
      return null
  }
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    row.map(({ tokens }, index) => <Cell key={index}>{inline(tokens)}</Cell>)
  return (
    <table>
      <thead>
        <tr>{cells(header, 'th')}</tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <tr key={index}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  )
}

function inline(tokens: Token[] = []): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  return tokens.map((token, index) => <Inline key={index} token={token as MarkedToken} />)
}

function Inline({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return isSafe(token.href) ? (
        <Anchor href={token.href}>{inline(token.tokens)}</Anchor>
      ) : (
        inline(token.tokens)
      )
    default:
      return 'text' in token ? String(token.text) : null
  }
}

/** A link in the document never runs a script. */
const isSafe = (address: string) => /^(https?:|mailto:|[/#])/i.test(address)
