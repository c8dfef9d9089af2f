import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import mark from '../mark.svg'
import { Loaded } from '../parts/loaded.tsx'
import { referenceQuery } from '../queries.ts'
import { Frame } from '../shell/frame.tsx'
import shell from '../shell/shell.module.css'
import type { OpenApiDocument } from './document/document.ts'
import { type Operation, operationsOf } from './document/operations.ts'
import { sectionId } from './markdown.tsx'
import { Introduction } from './pages/introduction.tsx'
import { OperationPage } from './pages/operation-page.tsx'
import { MissingRoute, TagPage } from './pages/tag-page.tsx'
import { DocumentContext, ReferenceContext } from './reference-context.ts'
import type { Language } from './request/programs.ts'
import { TestRequest } from './request/test-request.tsx'
import { hrefOf, type Route, useRoute } from './route.ts'
import { Side, SideFoot } from './side.tsx'

/** The reference at /docs: made from the document that the service serves, for people with and without an account. */
export function ReferencePage() {
  const query = useQuery(referenceQuery)
  // Deferred, so that the page is made in slices between which the browser answers.
  const document = useDeferredValue(query.data)
  if (document !== undefined) return <Reference document={document} />
  return (
    <ReferenceFrame place="" navigation={null}>
      <Loaded query={query} rows={10}>
        {() => null}
      </Loaded>
    </ReferenceFrame>
  )
}

function Reference({ document }: { document: OpenApiDocument }) {
  const place = useRoute()
  const operations = useMemo(() => operationsOf(document), [document])
  const [server, setServer] = useState(document.servers?.[0])
  const [language, chooseLanguage] = useState<Language>('curl')
  const [tested, setTested] = useState<Operation>()
  const [isTesting, dialog] = useDisclosure(false)
  useScrollToRoute(place)
  const reference = {
    operations,
    server,
    chooseServer: (url: string) => setServer(document.servers?.find((one) => one.url === url)),
    language,
    chooseLanguage,
    test: (operation: Operation) => {
      setTested(operation)
      dialog.open()
    },
  }
  return (
    <DocumentContext value={document}>
      <ReferenceContext value={reference}>
        <ReferenceFrame place={hrefOf(place)} navigation={<Side place={place} />}>
          <Shown place={place} operations={operations} />
        </ReferenceFrame>
        <TestRequest operation={tested} opened={isTesting} close={dialog.close} />
      </ReferenceContext>
    </DocumentContext>
  )
}

function Shown({ place, operations }: { place: Route; operations: Operation[] }) {
  if (place.kind === 'introduction') return <Introduction />
  if (place.kind === 'tag') {
    const own = operations.filter(({ tag }) => tag === place.tag)
    return own.length === 0 ? <MissingRoute /> : <TagPage tag={place.tag} operations={own} />
  }
  const operation = operations.find(({ id }) => id === place.id)
  return operation === undefined ? (
    <MissingRoute />
  ) : (
    <OperationPage key={operation.id} operation={operation} />
  )
}

/** A new place is read from its beginning; a section of the introduction from its heading. */
function useScrollToRoute(place: Route): void {
  useEffect(() => {
    const section = place.kind === 'introduction' ? place.section : undefined
    const heading = section === undefined ? null : window.document.getElementById(sectionId(section))
    if (heading === null) window.scrollTo(0, 0)
    else heading.scrollIntoView()
  }, [place])
}

type FrameProps = {
  place: string
  navigation: ReactNode
  children: ReactNode
}

function ReferenceFrame({ place, navigation, children }: FrameProps) {
  const brand = (
    <a href={hrefOf({ kind: 'introduction' })} className={shell.brand}>
      <img src={mark} alt="" width={26} height={26} />
      API reference
    </a>
  )
  return (
    <Frame
      label="API reference"
      brand={brand}
      place={place}
      side={(copy) => (
        <>
          {navigation}
          <SideFoot copy={copy} />
        </>
      )}
    >
      {children}
    </Frame>
  )
}
