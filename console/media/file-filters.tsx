import { Link } from '@tanstack/react-router'
import type { FileFilter } from '../../src/console-api/media/media-files.schema.ts'
import links from '../parts/links/filter-links.module.css'
import { fileFilters } from './filters.ts'
import styles from './media.module.css'
import { strings } from './strings.ts'

type Props = { project: number; only: FileFilter | undefined }

/** Files that need attention. */
export function FileFilters({ project, only }: Props) {
  return (
    <div className={styles.filters}>
      <nav aria-label={strings.filters.label}>
        <ul className={links.list}>
          {([undefined, ...fileFilters] as const).map((filter) => (
            <li key={filter ?? 'all'}>
              <Link
                to="/projects/$projectId/media"
                params={{ projectId: project }}
                search={filter === undefined ? {} : { only: filter }}
                resetScroll={false}
                activeOptions={{ exact: true, includeSearch: false }}
                aria-current={filter === only ? 'page' : undefined}
                data-chosen={filter === only}
                className={links.filter}
              >
                {strings.filters[filter ?? 'all']}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {only !== undefined && <p className={styles.hint}>{strings.hints[only]}</p>}
    </div>
  )
}
