import { Tabs } from '@mantine/core'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { AttributesTab } from '../attributes/attributes-tab.tsx'
import { useMay } from '../parts/may.ts'
import { Page } from '../parts/page.tsx'
import { RulesTab } from '../quality-rules/rules-tab.tsx'

export function AttributesPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { tab = 'attributes' } = useSearch({ from: '/signed-in/projects/$projectId/attributes' })
  const navigate = useNavigate()
  const { mayManage: isManager } = useMay()
  const show = (next: string | null) =>
    navigate({
      to: '/projects/$projectId/attributes',
      params: { projectId: project.id },
      search: next === 'rules' ? { tab: 'rules' } : {},
    })
  return (
    <Page
      title="Attributes and rules"
      lead={
        isManager
          ? 'What attributes may say, and what a good product is. Only managers change this.'
          : 'What attributes may say, and what a good product is. Managers of the project change this.'
      }
    >
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="attributes">Attributes</Tabs.Tab>
          <Tabs.Tab value="rules">Quality rules</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="attributes">
          <AttributesTab project={project.id} isManager={isManager} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesTab project={project.id} isManager={isManager} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
