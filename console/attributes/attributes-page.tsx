import { Tabs } from '@mantine/core'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { RulesTab } from '../quality-rules/rules-tab.tsx'
import { AttributesTab } from './attributes-tab.tsx'
import { strings } from './strings.ts'

export function AttributesPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { tab = 'attributes' } = useSearch({ from: '/signed-in/projects/$projectId/attributes' })
  const navigate = useNavigate()
  const { canManage: isManager } = usePermissions()
  const show = (next: string | null) =>
    navigate({
      to: '/projects/$projectId/attributes',
      params: { projectId: project.id },
      search: next === 'rules' ? { tab: 'rules' } : {},
    })
  return (
    <Page title={strings.page.title} lead={isManager ? strings.page.lead : strings.page.leadForOthers}>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="attributes">{strings.page.attributes}</Tabs.Tab>
          <Tabs.Tab value="rules">{strings.page.rules}</Tabs.Tab>
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
