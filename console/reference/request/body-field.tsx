import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Content, OpenApiDocument } from '../document/document.ts'
import { exampleOf } from '../document/examples.ts'
import type { Operation } from '../document/operations.ts'
import { exampleText } from '../pages/contents.tsx'
import { useDocument } from '../reference-context.ts'
import { strings } from '../strings.ts'
import type { RequestBody } from './request.ts'
import styles from './test-request.module.css'

/** Starts with the example of the first media type. */
export function useBody({ body }: Operation) {
  const document = useDocument()
  return useState(() => {
    const [first] = Object.entries(body?.content ?? {})
    return first && exampleBody(first, document)
  })
}

/** The example of a media type, with the required properties only. */
export function exampleBody([type, content]: [string, Content], document: OpenApiDocument): RequestBody {
  return { type, text: exampleText(type, exampleOf(content, document, 'required')) }
}

type BodyProps = { operation: Operation; body: RequestBody; setBody: (body: RequestBody) => void }

export function BodyField({ operation, body, setBody }: BodyProps) {
  const document = useDocument()
  const contents = Object.entries(operation.body?.content ?? {})
  const choose = (chosen: string) => {
    const found = contents.find(([type]) => type === chosen)
    if (found !== undefined) setBody(exampleBody(found, document))
  }
  return (
    <>
      {contents.length > 1 && (
        <NativeSelect
          label={strings.test.contentType}
          data={contents.map(([type]) => type)}
          value={body.type}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={strings.test.body}
        rows={12}
        spellCheck={false}
        classNames={{ input: styles.body }}
        value={body.text}
        onChange={(event) => setBody({ ...body, text: event.currentTarget.value })}
      />
    </>
  )
}
