import { Tabs } from '@mantine/core'
import { tokenVariable } from '../api-access/snippets.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Card } from '../parts/page.tsx'
import styles from './agents.module.css'
import { agentClients, type Urls } from './client-settings.ts'
import { strings } from './strings.ts'

/** Part of an ID in the page, which must not contain blanks. */
const tabOf = (client = '') => client.replaceAll(' ', '-')

export function AgentSettings({ urls }: { urls: Urls }) {
  return (
    <Card
      title={strings.settings.title}
      lead={
        <>
          {strings.settings.variable} <code>{tokenVariable}</code>
          {strings.settings.end}
        </>
      }
    >
      <Tabs defaultValue={tabOf(agentClients[0]?.client)} keepMounted={false}>
        <Tabs.List mb="md" aria-label={strings.settings.client}>
          {agentClients.map(({ client }) => (
            <Tabs.Tab key={client} value={tabOf(client)}>
              {client}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {agentClients.map(({ client, settings }) => (
          <Tabs.Panel key={client} value={tabOf(client)}>
            {settings(urls).map(({ place, code, json = false }) => (
              <div key={place} className={styles.settings}>
                <p className={styles.text}>{place}</p>
                <CodeBlock code={code} label={strings.settings.label(client)} json={json} />
              </div>
            ))}
          </Tabs.Panel>
        ))}
      </Tabs>
      <p className={styles.note}>{strings.settings.web}</p>
    </Card>
  )
}
