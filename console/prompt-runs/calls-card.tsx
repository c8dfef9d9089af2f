import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { namedProductsQuery } from '../product/queries.ts'
import type { Run } from '../wire.ts'
import { callColumns } from './call-columns.tsx'
import styles from './prompt-runs.module.css'
import { callsQuery } from './queries.ts'
import type { CallState, CallsSearch } from './states.ts'
import { strings } from './strings.ts'

type Props = { project: number; run: Run; view: CallsSearch; go: (view: CallsSearch) => void }

const choices = [
  { value: '', label: strings.calls.all },
  ...Object.entries(strings.calls.states).map(([value, label]) => ({ value, label })),
]

/** One call per product, with what the model wrote or why it failed. */
export function CallsCard({ project, run, view, go }: Props) {
  const { page = 1, state } = view
  const query = useQuery(callsQuery(project, run, view))
  const ids = query.data?.results.map(({ id }) => id) ?? []
  const { data: named } = useQuery(namedProductsQuery(project, ids))
  return (
    <Card title={strings.calls.title} lead={strings.calls.lead} flush>
      <div className={styles.tools}>
        <NativeSelect
          aria-label={strings.calls.filter}
          data={choices}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => go(value === '' ? {} : { state: value as CallState })}
        />
      </div>
      <PagedList
        label={strings.calls.title}
        query={query}
        columns={callColumns(project, run.cost.currency, named)}
        page={page}
        go={(to) => go({ ...(state && { state }), page: to })}
        empty={<Empty title={strings.calls.none}>{strings.calls.noneHint}</Empty>}
      />
    </Card>
  )
}
