import { Anchor, Tabs } from '@mantine/core'
import { CodeBlock } from '../parts/code-block.tsx'
import { Card } from '../parts/page.tsx'
import { snippets } from './snippets.ts'

export function QuickStart({ baseUrl }: { baseUrl: string }) {
  return (
    <Card
      title="Quick start"
      lead={
        <>
          Put the token into the variable <code>CATALOG_TOKEN</code> and run one of these. The{' '}
          <Anchor href="/docs">API reference</Anchor> has the rest.
        </>
      }
    >
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="md" aria-label="Language">
          {snippets.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={code(baseUrl)} label={`${language} example`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}
