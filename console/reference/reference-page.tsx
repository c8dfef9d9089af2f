import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Language } from '../../client/samples/request-sample.ts'
import mark from '../mark.svg'
import { Loaded } from '../parts/loaded.tsx'
import { referenceQuery } from '../queries.ts'
import { Frame } from '../shell/frame.tsx'
import shell from '../shell/shell.module.css'
import type { OpenApiDocument } from './document/document.ts'
import { type Operation, readOperations } from './document/operations.ts'
import { sectionId } from './markdown.tsx'
import { Introduction } from './pages/introduction.tsx'
import { OperationPage } from './pages/operation-page.tsx'
import { MissingRoute, TagPage } from './pages/tag-page.tsx'
import { DocumentContext, ReferenceContext } from './reference-context.ts'
import { TestRequest } from './request/test-request.tsx'
import { hrefOf, type Route, useRoute } from './route.ts'
import { Side, SideFoot } from './side.tsx'
import { strings } from './strings.ts'

/** The API reference at /docs, rendered from the OpenAPI document of the service. It needs no account. */
export function ReferencePage() {
  const query = useQuery(referenceQuery)
  // Deferred, so that the browser stays responsive while it renders.
  const document = useDeferredValue(query.data)
  if (document !== undefined) return <Reference document={document} />
  return (
    <ReferenceFrame path="" navigation={null}>
      <Loaded query={query} rows={10}>
        {() => null}
      </Loaded>
    </ReferenceFrame>
  )
}

function Reference({ document }: { document: OpenApiDocument }) {
  const route = useRoute()
  const operations = useMemo(() => readOperations(document), [document])
  const [server, setServer] = useState(document.servers?.[0])
  const [language, chooseLanguage] = useState<Language>('curl')
  const [tested, setTested] = useState<Operation>()
  const [isTesting, dialog] = useDisclosure(false)
  useScrollToRoute(route)
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
        <ReferenceFrame path={hrefOf(route)} navigation={<Side route={route} />}>
          <Content route={route} operations={operations} />
        </ReferenceFrame>
        <TestRequest operation={tested} opened={isTesting} close={dialog.close} />
      </ReferenceContext>
    </DocumentContext>
  )
}

function Content({ route, operations }: { route: Route; operations: Operation[] }) {
  if (route.kind === 'introduction') return <Introduction />
  if (route.kind === 'tag') {
    const own = operations.filter(({ tag }) => tag === route.tag)
    return own.length === 0 ? <MissingRoute /> : <TagPage tag={route.tag} operations={own} />
  }
  const operation = operations.find(({ id }) => id === route.id)
  return operation === undefined ? (
    <MissingRoute />
  ) : (
    <OperationPage key={operation.id} operation={operation} />
  )
}

/** A new page starts at the top, a section of the introduction at its heading. */
function useScrollToRoute(route: Route): void {
  useEffect(() => {
    const section = route.kind === 'introduction' ? route.section : undefined
    const heading = section === undefined ? null : window.document.getElementById(sectionId(section))
    if (heading === null) window.scrollTo(0, 0)
    else heading.scrollIntoView()
  }, [route])
}

type FrameProps = {
  path: string
  navigation: ReactNode
  children: ReactNode
}

function ReferenceFrame({ path, navigation, children }: FrameProps) {
  const brand = (
    <a href={hrefOf({ kind: 'introduction' })} className={shell.brand}>
      <img src={mark} alt="" width={26} height={26} />
      {strings.title}
    </a>
  )
  return (
    <Frame
      label={strings.title}
      brand={brand}
      path={path}
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
