import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { Icon } from '../parts/icons.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { Empty } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Card, Page } from '../parts/page.tsx'
import { promptColumns } from './prompt-columns.tsx'
import styles from './prompts.module.css'
import { promptsPageQuery } from './queries.ts'
import type { PromptOrder, PromptsSearch } from './search-params.ts'

const orders: { value: PromptOrder; label: string }[] = [
  { value: '-updated_at', label: 'Changed last' },
  { value: '-created_at', label: 'Newest first' },
  { value: 'name', label: 'By name' },
]

export function PromptsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/prompts' })
  const { mayWrite: mayEdit } = useMay()
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
      title="Prompts"
      lead="Texts that are given to language models, with variables that a product fills. Each change is a new version; labels say which version is in use."
      actions={mayEdit && <NewPrompt project={project.id} />}
    >
      <Card title="All prompts" flush actions={<Tools search={search} go={go} />}>
        <PagedList
          label="Prompts"
          query={useQuery(promptsPageQuery(project.id, search))}
          columns={promptColumns(project.id)}
          page={search.page ?? 1}
          go={(page) => go({ ...search, page })}
          empty={<Nothing project={project.id} search={search.search} mayEdit={mayEdit} />}
        />
      </Card>
    </Page>
  )
}

type ToolProps = { search: PromptsSearch; go: (next: PromptsSearch, replace?: boolean) => void }

/** Another search or order begins at the first page. */
function Tools({ search: { page: _page, ...search }, go }: ToolProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.toolbar}>
      <SearchBox
        label="Search by name or description"
        value={search.search ?? ''}
        inputRef={input}
        search={(text, isFirst) => {
          const { search: _before, ...others } = search
          go(text === '' ? others : { ...others, search: text }, !isFirst)
        }}
      />
      <NativeSelect
        aria-label="Order"
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
      New prompt
    </Button>
  )
}

type NothingProps = { project: number; search: string | undefined; mayEdit: boolean }

function Nothing({ project, search, mayEdit }: NothingProps) {
  if (search !== undefined)
    return <Empty title="No such prompts">No name or description has all of these words.</Empty>
  return (
    <Empty title="No prompts yet" action={mayEdit && <NewPrompt project={project} />}>
      A prompt keeps the text that a language model is given, such as “Describe {'{{name}}'} in two
      sentences”.
      {mayEdit
        ? ' Write the first one here; programs fill it with a product and tell which version wrote what.'
        : ' Editors of this project write them.'}
    </Empty>
  )
}
