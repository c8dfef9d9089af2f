import { Tabs } from '@mantine/core'
import { codeSample, type Language, languages } from '../../../client/samples/request-sample.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import type { Operation } from '../document/operations.ts'
import { useDocument, useReference } from '../reference-context.ts'
import { exampleBody } from '../request/body-field.tsx'
import { baseOf, requestOf, sampleValues } from '../request/request.ts'
import { strings } from '../strings.ts'

/** The operation as code, in the language that the user selected last. */
export function CodeSamples({ operation }: { operation: Operation }) {
  const document = useDocument()
  const { server, language, chooseLanguage } = useReference()
  const [content] = Object.entries(operation.body?.content ?? {})
  const request = requestOf(operation, {
    base: baseOf(operation, server),
    values: sampleValues(operation, document),
    token: operation.needsToken ? 'CATALOG_TOKEN' : '',
    body: content && exampleBody(content, document),
  })
  return (
    <Tabs value={language} onChange={(value) => chooseLanguage(value as Language)} keepMounted={false}>
      <Tabs.List mb="sm" aria-label={strings.operation.language}>
        {languages.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {one}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <CodeBlock code={codeSample(one, request)} label={strings.operation.codeExample(one)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
