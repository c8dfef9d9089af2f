import { createContext, use } from 'react'
import type { Language } from '../../client/samples/request-sample.ts'
import type { OpenApiDocument, Server } from './document/document.ts'
import type { Operation } from './document/operations.ts'

export const DocumentContext = createContext<OpenApiDocument | undefined>(undefined)

/** The user's choices for all operations. */
type Reference = {
  operations: Operation[]
  server: Server | undefined
  chooseServer: (url: string) => void
  language: Language
  chooseLanguage: (language: Language) => void
  /** Opens the test request dialog. */
  test: (operation: Operation) => void
}

export const ReferenceContext = createContext<Reference | undefined>(undefined)

export function useDocument(): OpenApiDocument {
  const document = use(DocumentContext)
  if (document === undefined) throw new Error('useDocument needs a DocumentContext')
  return document
}

export function useReference(): Reference {
  const reference = use(ReferenceContext)
  if (reference === undefined) throw new Error('useReference needs a ReferenceContext')
  return reference
}
