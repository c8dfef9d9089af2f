import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import type { ListedCategory } from '../wire.ts'
import { foundCategoriesQuery } from './queries.ts'
import { strings } from './strings.ts'
import styles from './tree.module.css'

type Props = {
  project: number
  search: string
  page: number
  go: (page: number) => void
  choose: (id: number) => void
}

/** Search results from the whole tree, with full paths. */
export function FoundCategories({ project, search, page, go, choose }: Props) {
  return (
    <PagedList
      label={strings.found.label}
      query={useQuery(foundCategoriesQuery(project, search, page))}
      columns={columnsFor(project, choose)}
      page={page}
      go={go}
      empty={<Empty title={strings.found.noneTitle}>{strings.found.noneText(search)}</Empty>}
    />
  )
}

const columnsFor = (project: number, choose: (id: number) => void): Column<ListedCategory>[] => [
  {
    header: strings.found.columns.category,
    id: 'category',
    cell: ({ row: { original } }) => (
      <button type="button" className={styles.found} onClick={() => choose(original.id)}>
        <bdi>{original.path.join(' › ')}</bdi>
      </button>
    ),
  },
  {
    header: strings.found.columns.products,
    id: 'products',
    cell: ({ row: { original } }) => (
      <Anchor
        component={Link}
        to="/projects/$projectId/products"
        params={{ projectId: project } as never}
        search={{ category: String(original.id) } as never}
      >
        {numberText(original.products ?? 0)}
      </Anchor>
    ),
  },
]
