import { Anchor, Tabs } from '@mantine/core'
import { CodeBlock } from '../parts/code-block.tsx'
import { Card } from '../parts/page.tsx'
import { snippets, tokenVariable } from './snippets.ts'
import { strings } from './strings.ts'

export function QuickStart({ baseUrl }: { baseUrl: string }) {
  return (
    <Card
      title={strings.quickStart.title}
      lead={
        <>
          {strings.quickStart.setVariable} <code>{tokenVariable}</code>
          {strings.quickStart.run} <Anchor href="/docs">{strings.quickStart.reference}</Anchor>
          {strings.quickStart.end}
        </>
      }
    >
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="md" aria-label={strings.quickStart.language}>
          {snippets.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={code(baseUrl)} label={strings.quickStart.example(language)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}
