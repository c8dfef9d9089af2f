import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Pager } from '../../parts/lists/pager.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import type { ProductForm } from '../draft/use-product-form.ts'
import { historyQuery, historySize } from '../queries.ts'
import { strings } from '../strings.ts'
import { ChangeEntry } from './change-entry.tsx'
import styles from './history.module.css'
import { type Restoration, RestoreDialog } from './restore-dialog.tsx'
import { useProductInAllViews } from './use-product-in-all-views.ts'

type Props = { form: ProductForm; page: number; go: (page: number) => void }

/** All changes of the product, newest first. */
export function History({ form, page, go }: Props) {
  const { base, isDirty, adopt } = form
  const { canWrite } = usePermissions()
  const query = useQuery(historyQuery(base.project, base.id, page))
  const { current, isSettled } = useProductInAllViews(base)
  const [restoration, setRestoration] = useState<Restoration>()
  return (
    <Card title={strings.history.title} lead={strings.history.lead} flush>
      {isDirty && (
        <Alert color="yellow" className={styles.notice ?? ''} title={strings.history.unsavedTitle}>
          {strings.history.unsavedText}
        </Alert>
      )}
      <Loaded query={query} rows={8}>
        {(data) => (
          <>
            <ol
              className={styles.entries}
              aria-label={strings.history.changes}
              aria-busy={query.isPlaceholderData}
            >
              {data.results.map((change) => (
                <ChangeEntry
                  key={change.version}
                  product={current}
                  change={change}
                  restore={isDirty || !canWrite || !isSettled ? undefined : setRestoration}
                />
              ))}
            </ol>
            <Pager page={page} pageSize={historySize} data={data} go={go} />
          </>
        )}
      </Loaded>
      {restoration !== undefined && (
        <RestoreDialog
          product={base}
          restoration={restoration}
          restored={(response) => adopt(response)}
          close={() => setRestoration(undefined)}
        />
      )}
    </Card>
  )
}
