import { TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { byTag, type Operation } from './document/operations.ts'
import { headingsOf } from './markdown.tsx'
import { MethodTag } from './method-tag.tsx'
import styles from './navigation.module.css'
import { useDocument, useReference } from './reference-context.ts'
import { hrefOf, type Route } from './route.ts'
import { showLink } from './show-link.ts'
import { strings } from './strings.ts'

/** All operations by tag. The search keeps operations that match all words. */
export function Navigation({ route }: { route: Route }) {
  const document = useDocument()
  const { operations } = useReference()
  const [search, setSearch] = useState('')
  const found = operations.filter((operation) => matches(operation, search))
  const here = hrefOf(route)
  return (
    <>
      <SearchField search={search} setSearch={setSearch} found={found.length} />
      <nav aria-label={strings.navigation.label} className={styles.nav}>
        {search === '' && <IntroductionLinks text={document.info?.description ?? ''} here={here} />}
        {byTag(found).map(([tag, own]) => (
          <div key={tag}>
            <NavLink href={hrefOf({ kind: 'tag', tag })} here={here}>
              <strong>{tag}</strong>
            </NavLink>
            <ul>
              {own.map(({ id, method, summary }) => (
                <li key={id}>
                  <NavLink href={hrefOf({ kind: 'operation', id })} here={here}>
                    <MethodTag method={method} />
                    <span>{summary}</span>
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  )
}

function matches({ method, path, summary, id, tag }: Operation, search: string): boolean {
  const text = `${method} ${path} ${summary} ${id} ${tag}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

type SearchProps = { search: string; setSearch: (search: string) => void; found: number }

function SearchField({ search, setSearch, found }: SearchProps) {
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <search>
      <TextInput
        ref={field}
        type="search"
        aria-label={strings.navigation.search}
        aria-keyshortcuts="/"
        placeholder={strings.navigation.search}
        leftSection={<Icon name="search" size={16} />}
        rightSection={<kbd className={styles.key}>{strings.navigation.key}</kbd>}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p role="status" className={search !== '' && found === 0 ? styles.nothing : 'unseen'}>
        {search === '' ? '' : found === 0 ? strings.navigation.none : strings.navigation.found(found)}
      </p>
    </search>
  )
}

function IntroductionLinks({ text, here }: { text: string; here: string }) {
  return (
    <ul>
      <li>
        <NavLink href={hrefOf({ kind: 'introduction' })} here={here}>
          <strong>{strings.navigation.introduction}</strong>
        </NavLink>
      </li>
      {headingsOf(text).map(({ slug, title }) => (
        <li key={slug}>
          <NavLink href={hrefOf({ kind: 'introduction', section: slug })} here={here}>
            {title}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}

/** Scrolls to the link of the current page. */
function NavLink({ href, here, children }: { href: string; here: string; children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null)
  const isHere = href === here
  useEffect(() => {
    if (isHere && link.current !== null) showLink(link.current)
  }, [isHere])
  return (
    <a ref={link} href={href} aria-current={isHere ? 'page' : undefined} className={styles.link}>
      {children}
    </a>
  )
}
