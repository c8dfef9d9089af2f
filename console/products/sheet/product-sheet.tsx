import { Alert, Checkbox } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useAnnouncer } from '../../parts/announcer.tsx'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { CellBar } from '../../sheet/cell-bar.tsx'
import { commitEditor } from '../../sheet/commit-editor.ts'
import type { FieldSources } from '../../sheet/fields/sheet-field.ts'
import { SheetGrid } from '../../sheet/grid/sheet-grid.tsx'
import { settle } from '../../sheet/model/edits.ts'
import type { Layout } from '../../sheet/model/layout.ts'
import { SheetSaveBar } from '../../sheet/sheet-save-bar.tsx'
import { strings as sheetStrings } from '../../sheet/strings.ts'
import { useEdits } from '../../sheet/use-edits.ts'
import { useOpenProposal } from '../../sheet/use-open-proposal.ts'
import { useSaving } from '../../sheet/use-saving.ts'
import { useSheet } from '../../sheet/use-sheet.ts'
import type { AttributeDefinition, ListedProduct, Page, ProductDetail } from '../../wire.ts'
import type { Columns } from '../columns/use-columns.ts'
import { fieldChoices } from '../filter-labels.ts'
import { productsQuery } from '../list-query.ts'
import styles from '../products.module.css'
import { definedAttributesQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import type { ViewState } from '../use-view.ts'
import { pageQuery } from '../view.ts'
import { columnsOf, gridColumn, sheetField } from './sheet-columns.ts'

type Props = { state: ViewState; rows: ListedProduct[]; columns: Columns; isStale: boolean }

/** The rows of the list as a grid of cells to edit. */
export function ProductSheet(props: Props) {
  const definitions = useQuery(definedAttributesQuery(props.state.project))
  return (
    <Loaded query={definitions} rows={12}>
      {({ results }) => <Grid {...props} defined={results} />}
    </Loaded>
  )
}

type GridProps = Props & { defined: AttributeDefinition[] }

function Grid({ state, rows, columns, isStale, defined }: GridProps) {
  const { project, view, change } = state
  const { announce, region } = useAnnouncer()
  const sources = useSources(rows, defined)
  const fieldAt = useCallback((path: string) => sheetField(path, sources), [sources])
  const edits = useEdits(`products-${project}`, fieldAt)
  const { layout, gridColumns } = useColumnLayout(rows, columns, sources, view.edit === 'all')
  const sheet = useSheet(layout, edits, announce)
  const { opened, open } = useOpenProposal(project)
  const adopt = useAdopt(project, pageQuery(view))
  const saving = useSaving({ project, edits, fieldAt, adopt, openProposal: open, announce })
  // Also while the user edits a cell: leaving the editor commits it.
  useHotkeys([['mod+S', () => commitEditor(saving.save), { preventDefault: true }]], [], true)
  const shown = useMemo(() => new Set(rows.map(({ id }) => id)), [rows])
  const isDirty = edits.editing.edits.size > 0
  return (
    <>
      {edits.restored > 0 && isDirty && (
        <Alert color="accent" role="status" icon={<Icon name="undo" />} className={styles.restored ?? ''}>
          {sheetStrings.said.restored(edits.restored)}
        </Alert>
      )}
      {defined.length > 0 && (
        <div className={styles.sheetTools}>
          <Checkbox
            label={strings.sheet.allAttributes(defined.length)}
            checked={view.edit === 'all'}
            onChange={({ currentTarget }) => change({ edit: currentTarget.checked ? 'all' : '1' }, true)}
          />
        </div>
      )}
      <SheetGrid
        label={strings.sheet.label}
        layout={layout}
        columns={gridColumns}
        editing={edits.editing}
        sheet={sheet}
        isBusy={isStale}
      />
      <CellBar
        cell={layout.at(sheet.active.row, sheet.active.column)}
        editing={edits.editing}
        choose={(key, edit) => edits.set(settle(edits.now(), new Map([[key, edit]])))}
      />
      <SheetSaveBar edits={edits} shown={shown} saving={saving} openProposal={open} />
      <LeaveDialog
        isDirty={isDirty && opened === undefined}
        isKept={(next) => next['edit'] !== undefined}
        discard={edits.discard}
      />
      {region}
    </>
  )
}

function useSources(products: ListedProduct[], defined: AttributeDefinition[]): FieldSources {
  return useMemo(
    () => ({
      definitions: new Map(defined.map((definition) => [definition.name, definition])),
      choices: fieldChoices,
      currency: products[0]?.currency ?? 'EUR',
      products,
    }),
    [products, defined],
  )
}

function useColumnLayout(
  products: ListedProduct[],
  { columns, widths }: Columns,
  sources: FieldSources,
  isAll: boolean,
) {
  return useMemo(() => {
    const names = columnsOf(columns, sources, isAll)
    const fields = names.map((name) => sheetField(name, sources))
    const layout: Layout = {
      rows: products.length,
      columns: fields.length,
      at: (row, column) => {
        const [product, field] = [products[row], fields[column]]
        return product && field && { product, field }
      },
    }
    const gridColumns = fields.map((field, index) => {
      const name = names[index] as string
      return gridColumn(name, field, products, widths[name])
    })
    return { layout, gridColumns }
  }, [products, columns, widths, sources, isAll])
}

/** Shows the saved product in its row. The order of the rows stays, also if the product no longer matches. */
function useAdopt(project: number, query: string) {
  const queries = useQueryClient()
  return useCallback(
    (product: ProductDetail) => {
      queries.setQueryData<Page<ListedProduct>>(productsQuery(project, query).queryKey, (page) => {
        const results = page?.results.map((row) => (row.id === product.id ? { ...row, ...product } : row))
        return page && results && { ...page, results }
      })
      void queries.invalidateQueries({ queryKey: ['project', project], refetchType: 'none' })
    },
    [project, query, queries],
  )
}
