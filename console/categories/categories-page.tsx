import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { notifyUndoable } from '../parts/toast.tsx'
import type { ListedCategory } from '../wire.ts'
import { CategoryActionDialog } from './action-dialogs.tsx'
import type { ActionResult, CategoryAction } from './actions.ts'
import { CategoryPanel } from './category-panel.tsx'
import { moveCategory } from './changes.ts'
import { FoundCategories } from './found-categories.tsx'
import { readTreeAgain } from './queries.ts'
import { strings } from './strings.ts'
import styles from './tree.module.css'
import { TreeCard } from './tree-card.tsx'

type Search = { category?: number | undefined; search?: string | undefined; page?: number | undefined }
type Move = { category: ListedCategory; onto: ListedCategory | null }

export function CategoriesPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { category, search = '', page = 1 } = useSearch({ from: '/signed-in/projects/$projectId/categories' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [action, begin] = useState<CategoryAction>()
  const [opened, setOpened] = useState<number>()
  const go = (next: Search, replace = false) =>
    navigate({
      to: '/projects/$projectId/categories',
      params: { projectId: project.id },
      search: { category, search: search === '' ? undefined : search, ...next },
      replace,
      resetScroll: false,
    })
  const { canWrite } = usePermissions()
  const undoAction = useMutation({
    mutationFn: (undo: () => Promise<string>) => undo(),
    onSuccess: notifySuccess,
    onError: notifyError,
    onSettled: () => readTreeAgain(queries, project.id),
  })
  const done = async ({ message, shown, opened: parent, undo }: ActionResult) => {
    if (parent != null) setOpened(parent)
    if (undo === undefined) notifySuccess(message)
    else notifyUndoable(message, () => undoAction.mutate(undo))
    begin(undefined)
    // Navigate before refetching, so that no deleted category is requested.
    await go({ category: shown }, true)
    void readTreeAgain(queries, project.id)
  }
  const move = useMoves(project.id, setOpened)
  const choose = (id: number) => void go({ category: id }, category !== undefined)
  const searchBox = (
    <SearchBox
      label={strings.page.search}
      value={search}
      inputRef={input}
      search={(text, isFirst) => void go({ search: text === '' ? undefined : text }, !isFirst)}
    />
  )
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead}
      actions={
        canWrite && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => begin({ kind: 'create', category: null })}
          >
            {strings.page.new}
          </Button>
        )
      }
    >
      <div className={styles.layout}>
        {search === '' ? (
          <TreeCard
            project={project.id}
            actions={searchBox}
            {...{ canWrite, chosen: category, opened, choose, begin }}
            move={(moved) => move.mutate(moved)}
          />
        ) : (
          <Card title={strings.page.results} flush actions={searchBox}>
            <FoundCategories
              project={project.id}
              search={search}
              page={page}
              go={(to) => void go({ page: to })}
              choose={choose}
            />
          </Card>
        )}
        <div className={styles.side}>
          <CategoryPanel project={project.id} id={category} canWrite={canWrite} begin={begin} />
        </div>
      </div>
      {action !== undefined && (
        <CategoryActionDialog
          project={project.id}
          action={action}
          done={done}
          close={() => begin(undefined)}
        />
      )}
    </Page>
  )
}

/** Dragging moves a category immediately and offers an undo. */
function useMoves(project: number, open: (id: number) => void) {
  const queries = useQueryClient()
  const undoMove = useMutation({
    mutationFn: ({ id, parent }: ListedCategory) => moveCategory(project, id, parent),
    onSuccess: ({ name }) => notifySuccess(strings.move.undone(name)),
    onError: notifyError,
    onSettled: () => readTreeAgain(queries, project),
  })
  return useMutation({
    mutationFn: ({ category, onto }: Move) => moveCategory(project, category.id, onto?.id ?? null),
    onSuccess: ({ name }, { category, onto }) => {
      if (onto !== null) open(onto.id)
      const message = onto === null ? strings.move.movedToTop(name) : strings.move.movedBelow(name, onto.name)
      notifyUndoable(message, () => undoMove.mutate(category))
    },
    onError: notifyError,
    onSettled: () => readTreeAgain(queries, project),
  })
}
