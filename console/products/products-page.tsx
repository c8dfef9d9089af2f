import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NewProduct } from '../parts/links/new-product.tsx'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ActionBar } from './action-bar.tsx'
import { ColumnsDialog } from './columns/columns-dialog.tsx'
import { useColumns } from './columns/use-columns.ts'
import { DuplicatesLink } from './duplicates-link.tsx'
import { EditDialog } from './edit/edit-dialog.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterChips } from './filters/filter-chips.tsx'
import { ImportLink } from './import-link.tsx'
import { UnknownColumns } from './link-errors.tsx'
import { productsQuery } from './list-query.ts'
import { ProductList } from './product-list.tsx'
import styles from './products.module.css'
import { selectedFilter, useSelection } from './selection.ts'
import { strings } from './strings.ts'
import { type Dialog, Toolbar } from './toolbar.tsx'
import { useListKeys } from './use-list-keys.ts'
import { useView, type ViewState } from './use-view.ts'
import { pageQuery } from './view.ts'

/** The products of the project. The URL holds the whole view. */
export function ProductsPage() {
  const state = useView()
  const { project, view } = state
  const query = useQuery(productsQuery(project, pageQuery(view), view.market))
  const rows = query.data?.results ?? []
  const count = query.data?.count ?? 0
  const selection = useSelection(
    project,
    view.filter,
    query.isPlaceholderData ? [] : rows.map(({ id }) => id),
  )
  const columns = useColumns(state)
  const { canWrite } = usePermissions()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  useListKeys({
    // Rows of the previous view cannot be selected while the next view loads.
    select: (id) => query.isPlaceholderData || selection.toggle(id),
    edit: () => canWrite && (selection.isAll || selection.ids.size > 0) && setDialog('edit'),
    editInList: () =>
      canWrite &&
      view.market === undefined &&
      state.change({ edit: view.edit === undefined ? '1' : undefined }),
  })
  const filter = selectedFilter(selection, view.filter)
  return (
    <Page title={strings.page.title} actions={<PageActions state={state} columns={columns.columns} />}>
      <div className={styles.page} data-wide>
        <Toolbar state={state} columns={columns.columns} open={setDialog} />
        <FilterChips {...state} />
        <UnknownColumns {...state} />
        <ProductList state={state} query={query} columns={columns} selection={selection} />
        <ActionBar
          project={project}
          selection={selection}
          count={count}
          filter={filter}
          columns={columns.columns}
          market={view.market}
          edit={() => setDialog('edit')}
        />
      </div>
      {dialog === 'edit' && (
        <EditDialog
          project={project}
          filter={filter}
          count={selection.isAll ? count : selection.ids.size}
          market={view.market}
          close={close}
        />
      )}
      {dialog === 'columns' && <ColumnsDialog project={project} {...columns} close={close} />}
    </Page>
  )
}

type ActionProps = { state: ViewState; columns: string[] }

function PageActions({ state: { project, view }, columns }: ActionProps) {
  return (
    <>
      <div className={styles.iconActions}>
        <DuplicatesLink project={project} />
        <ImportLink project={project} />
        <ExportMenu project={project} filter={view.filter} columns={columns} market={view.market} />
      </div>
      <NewProduct project={project} />
    </>
  )
}
