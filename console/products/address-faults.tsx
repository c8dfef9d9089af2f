import { Alert, Button } from '@mantine/core'
import { ProblemError } from '../network.ts'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { isColumn } from './column-names.ts'
import styles from './products.module.css'
import type { ViewState } from './use-view.ts'

type Props = { state: ViewState; error: Error; retry: () => void }

/** Why the list cannot be shown; where the address is at fault, what in it and how to go on. */
export function ListProblem({ state, error, retry }: Props) {
  const faults =
    error instanceof ProblemError ? error.faults.filter(({ parameter }) => parameter !== undefined) : []
  if (error instanceof ProblemError && error.code === 'invalid_page')
    return (
      <Alert color="yellow" role="alert" icon={<Icon name="alert" />} title="There is no such page">
        <p className={styles.faultText}>
          The list has no page “{state.view.page}”. It may have become shorter.
        </p>
        <Button size="xs" variant="default" onClick={() => state.change({ page: undefined })}>
          Go to the first page
        </Button>
      </Alert>
    )
  if (faults.length === 0) return <ProblemAlert error={error} retry={retry} />
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<Icon name="alert" />}
      title="The address asks for what there is not"
    >
      <ul className={styles.faults}>
        {faults.map(({ parameter = '', message }) => (
          <li key={parameter}>
            <span>
              <code>{parameter}</code> {message}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${parameter} from the address`}
              onClick={() => state.change({ [parameter]: undefined })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** Columns that the address names and that there are not; the rows are shown without them. */
export function UnknownColumns({ view: { columns = [] }, change }: ViewState) {
  const unknown = columns.filter((column) => !isColumn(column))
  if (unknown.length === 0) return null
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<Icon name="alert" />}
      title="The address names columns that there are not"
    >
      <p className={styles.faultText}>
        <bdi>{unknown.join(', ')}</bdi>. An attribute is written attributes.<i>name</i>.
      </p>
      <Button size="xs" variant="default" onClick={() => change({ columns: undefined }, true)}>
        Show my own columns
      </Button>
    </Alert>
  )
}
