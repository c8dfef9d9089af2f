import { Button, SegmentedControl } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { useAnnouncer } from '../../parts/announcer.tsx'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { fieldChoices } from '../../products/filter-labels.ts'
import { CellBar } from '../../sheet/cell-bar.tsx'
import { commitEditor } from '../../sheet/commit-editor.ts'
import { editableField, type FieldSources, stockField } from '../../sheet/fields/sheet-field.ts'
import { SheetGrid } from '../../sheet/grid/sheet-grid.tsx'
import { settle } from '../../sheet/model/edits.ts'
import type { Layout } from '../../sheet/model/layout.ts'
import { SheetSaveBar } from '../../sheet/sheet-save-bar.tsx'
import { useEdits } from '../../sheet/use-edits.ts'
import { useOpenProposal } from '../../sheet/use-open-proposal.ts'
import { useSaving } from '../../sheet/use-saving.ts'
import { useSheet } from '../../sheet/use-sheet.ts'
import type { Page, ProductDetail } from '../../wire.ts'
import { allVariantsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import type { AxisValues } from './add-variant-dialog.tsx'
import type { Axes } from './variant-axes.ts'
import styles from './variant-matrix.module.css'
import { EmptyCell } from './variant-matrix.tsx'

type Props = {
  product: ProductDetail
  variants: ProductDetail[]
  axes: Axes
  add: (values: AxisValues) => void
  stop: () => void
}

/** What the cells of the matrix show and edit. */
const measures = ['price', stockField, 'status']
const columnWidth = 124
const titleWidth = 130

/** The matrix as a grid: one value of each variant at a time, so that blocks can be pasted. */
export function MatrixSheet({ product, variants, axes, add, stop }: Props) {
  const { project, id } = product
  const [measure, setMeasure] = useState('price')
  const { announce, region } = useAnnouncer()
  const fieldAt = useFields(product, variants)
  const edits = useEdits(`variants-${id}`, fieldAt)
  const layout = useMatrixLayout(axes, fieldAt, measure)
  const sheet = useSheet(layout, edits, announce)
  const { opened, open } = useOpenProposal(project)
  const adopt = useAdopt(project, id)
  const saving = useSaving({ project, edits, fieldAt, adopt, openProposal: open, announce })
  const shown = useMemo(() => new Set(variants.map((one) => one.id)), [variants])
  const isDirty = edits.editing.edits.size > 0
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
    // The page would save its form.
    event.preventDefault()
    event.stopPropagation()
    commitEditor(() => void saving.save())
  }
  return (
    <section aria-label={strings.variants.edit} onKeyDown={saveByKey}>
      <div className={styles.tools}>
        <SegmentedControl
          size="xs"
          aria-label={strings.variants.measure}
          value={measure}
          onChange={setMeasure}
          data={measures.map((field) => ({ value: field, label: fieldLabel(field) }))}
        />
        {!isDirty && (
          <Button size="xs" variant="default" onClick={stop}>
            {strings.variants.done}
          </Button>
        )}
      </div>
      <SheetGrid
        label={strings.variants.byAxes(axes.rows, axes.columns)}
        layout={layout}
        columns={axes.across.map((label) => ({
          key: label,
          label,
          width: columnWidth,
          isNumber: measure !== 'status',
        }))}
        titles={{
          header: `${axes.rows} / ${axes.columns}`,
          width: titleWidth,
          of: (row) => axes.down[row] ?? '',
        }}
        emptyCell={(row, column) => <EmptyCell values={axes.valuesAt(row, column)} add={add} isInGrid />}
        editing={edits.editing}
        sheet={sheet}
      />
      <CellBar
        cell={layout.at(sheet.active.row, sheet.active.column)}
        editing={edits.editing}
        choose={(key, edit) => edits.set(settle(edits.now(), new Map([[key, edit]])))}
      />
      <SheetSaveBar edits={edits} shown={shown} saving={saving} openProposal={open} />
      <LeaveDialog isDirty={isDirty && opened === undefined} discard={edits.discard} />
      {region}
    </section>
  )
}

function useFields({ currency }: ProductDetail, products: ProductDetail[]) {
  return useMemo(() => {
    const sources: FieldSources = { definitions: new Map(), choices: fieldChoices, currency, products }
    const fields = new Map(measures.map((field) => [field, editableField(field, sources)]))
    return (path: string) => fields.get(path)
  }, [currency, products])
}

function useMatrixLayout(axes: Axes, fieldAt: ReturnType<typeof useFields>, measure: string): Layout {
  return useMemo(() => {
    const field = fieldAt(measure)
    return {
      rows: axes.down.length,
      columns: axes.across.length,
      at: (row, column) => {
        const product = axes.at(row, column)
        return product && field && { product, field }
      },
    }
  }, [axes, fieldAt, measure])
}

function useAdopt(project: number, parent: number) {
  const queries = useQueryClient()
  return useCallback(
    (variant: ProductDetail) => {
      const { queryKey } = allVariantsQuery(project, parent)
      queries.setQueryData<Page<ProductDetail>>(queryKey, (page) => {
        const results = page?.results.map((one) => (one.id === variant.id ? variant : one))
        return page && results && { ...page, results }
      })
      // The summary of the parent and the list show the new values.
      void queries.invalidateQueries({ queryKey: ['project', project] })
    },
    [project, parent, queries],
  )
}
