import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { Icon } from '../parts/icons.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { promptColumns } from './prompt-columns.tsx'
import styles from './prompts.module.css'
import { promptsPageQuery } from './queries.ts'
import type { PromptOrder, PromptsSearch } from './search-params.ts'
import { strings } from './strings.ts'

const orders = Object.entries(strings.list.orders).map(([value, label]) => ({ value, label }))

export function PromptsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/prompts' })
  const { canWrite: canEdit } = usePermissions()
  const navigate = useNavigate()
  const go = (next: PromptsSearch, replace = false) =>
    void navigate({
      to: '/projects/$projectId/prompts',
      params: { projectId: project.id },
      search: next,
      replace,
    })
  return (
    <Page
      title={strings.list.title}
      lead={strings.list.lead}
      actions={canEdit && <NewPrompt project={project.id} />}
    >
      <Card title={strings.list.all} flush actions={<Tools search={search} go={go} />}>
        <PagedList
          label={strings.list.title}
          query={useQuery(promptsPageQuery(project.id, search))}
          columns={promptColumns(project.id)}
          page={search.page ?? 1}
          go={(page) => go({ ...search, page })}
          empty={<Nothing project={project.id} search={search.search} canEdit={canEdit} />}
        />
      </Card>
    </Page>
  )
}

type ToolProps = { search: PromptsSearch; go: (next: PromptsSearch, replace?: boolean) => void }

/** A new search or order starts at the first page. */
function Tools({ search: { page: _page, ...search }, go }: ToolProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.toolbar}>
      <SearchBox
        label={strings.list.search}
        value={search.search ?? ''}
        inputRef={input}
        search={(text, isFirst) => {
          const { search: _before, ...others } = search
          go(text === '' ? others : { ...others, search: text }, !isFirst)
        }}
      />
      <NativeSelect
        aria-label={strings.list.order}
        data={orders}
        value={search.ordering ?? '-updated_at'}
        onChange={({ currentTarget }) => go({ ...search, ordering: currentTarget.value as PromptOrder })}
      />
    </div>
  )
}

function NewPrompt({ project }: { project: number }) {
  return (
    <Button
      component={Link}
      to={`/projects/${project}/prompts/new`}
      leftSection={<Icon name="plus" size={16} />}
    >
      {strings.list.new}
    </Button>
  )
}

type NothingProps = { project: number; search: string | undefined; canEdit: boolean }

function Nothing({ project, search, canEdit }: NothingProps) {
  if (search !== undefined) return <Empty title={strings.list.noMatch}>{strings.list.noMatchHint}</Empty>
  return (
    <Empty title={strings.list.empty} action={canEdit && <NewPrompt project={project} />}>
      {strings.list.emptyHint} {canEdit ? strings.list.emptyCanWrite : strings.list.emptyCanRead}
    </Empty>
  )
}
