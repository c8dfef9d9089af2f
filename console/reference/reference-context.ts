import { createContext, use } from 'react'
import type { OpenApiDocument, Server } from './document/document.ts'
import type { Operation } from './document/operations.ts'
import type { Language } from './request/programs.ts'

/** The document that is shown; references inside of it are followed from here. */
export const DocumentContext = createContext<OpenApiDocument | undefined>(undefined)

/** What the reader chose for all operations, and the way to send one. */
type Reference = {
  operations: Operation[]
  server: Server | undefined
  chooseServer: (url: string) => void
  language: Language
  chooseLanguage: (language: Language) => void
  /** Opens the dialog that sends a request. */
  test: (operation: Operation) => void
}

export const ReferenceContext = createContext<Reference | undefined>(undefined)

export function useDocument(): OpenApiDocument {
  const document = use(DocumentContext)
  if (document === undefined) throw new Error('no document is shown here')
  return document
}

export function useReference(): Reference {
  const reference = use(ReferenceContext)
  if (reference === undefined) throw new Error('outside of the reference')
  return reference
}
