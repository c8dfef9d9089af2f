import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemError } from '../network.ts'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { isColumn } from './columns/column-names.ts'
import styles from './products.module.css'
import { strings } from './strings.ts'
import type { ViewState } from './use-view.ts'

const fewest = '20'

type Props = { state: ViewState; error: Error; retry: () => void }

/** Why the list cannot be shown. For an invalid URL, shows the invalid parameters with buttons to remove them. */
export function ListProblem({ state, error, retry }: Props) {
  const fieldErrors =
    error instanceof ProblemError ? error.fieldErrors.filter(({ parameter }) => parameter !== undefined) : []
  if (error instanceof ProblemError && error.code === 'invalid_page')
    return (
      <Notice
        title={strings.linkErrors.noPageTitle}
        action={strings.linkErrors.firstPage}
        act={() => state.change({ page: undefined })}
      >
        {strings.linkErrors.noPageText(state.view.page)}
      </Notice>
    )
  if (error instanceof ProblemError && error.code === 'view_marking')
    return (
      <Alert color="gray" role="status" title={strings.linkErrors.checkingTitle}>
        {strings.linkErrors.checking}
      </Alert>
    )
  if (error instanceof ProblemError && error.code === 'page_too_large')
    return (
      <Notice
        title={strings.linkErrors.tooLargeTitle}
        action={strings.linkErrors.fewerRows(fewest)}
        act={() => state.change({ page_size: fewest })}
      >
        {strings.linkErrors.tooLargeText}
      </Notice>
    )
  if (fieldErrors.length === 0) return <ProblemAlert error={error} retry={retry} />
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<Icon name="alert" />}
      title={strings.linkErrors.title}
    >
      <ul className={styles.fieldErrors}>
        {fieldErrors.map(({ parameter = '', message }) => (
          <li key={parameter}>
            <span>
              <code>{parameter}</code> {message}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={strings.linkErrors.removeParameter(parameter)}
              onClick={() => state.change({ [parameter]: undefined })}
            >
              {strings.linkErrors.remove}
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

type NoticeProps = { title: string; action: string; act: () => void; children: ReactNode }

/** A problem with one action that solves it. */
function Notice({ title, action, act, children }: NoticeProps) {
  return (
    <Alert color="yellow" role="alert" icon={<Icon name="alert" />} title={title}>
      <p className={styles.errorText}>{children}</p>
      <Button size="xs" variant="default" onClick={act}>
        {action}
      </Button>
    </Alert>
  )
}

/** Unknown columns in the URL. The table omits them. */
export function UnknownColumns({ view: { columns = [] }, change }: ViewState) {
  const unknown = columns.filter((column) => column !== '' && !isColumn(column))
  if (unknown.length === 0) return null
  return (
    <Notice
      title={strings.linkErrors.columnsTitle}
      action={strings.linkErrors.ownColumns}
      act={() => change({ columns: undefined }, true)}
    >
      <bdi>{unknown.join(', ')}</bdi>. {strings.linkErrors.columnsText}
    </Notice>
  )
}
