import { useQuery } from '@tanstack/react-query'
import { counted, numberText } from '../parts/words/number-text.ts'
import { apiAccessQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import styles from './operator.module.css'

const days = 7

/** What a project loses with its API access: who calls, and how much. */
export function ApiAccessImpact({ project }: { project: OperatorProject }) {
  const usage = useQuery(apiAccessQuery(project.id)).data?.usage.slice(-days) ?? []
  const lately = usage.reduce((sum, { requests }) => sum + requests, 0)
  const { active_tokens: tokens, requests_30_days: requests } = project
  return (
    <>
      <p className={styles.said}>
        Every call of the project is refused from this moment on. Its members keep the console, and its
        products stay.
      </p>
      <ul className={styles.consequences}>
        <li>
          {tokens === 0
            ? 'No token is in use.'
            : `${counted(tokens, 'token')} ${tokens === 1 ? 'stops' : 'stop'} working until access is opened again.`}
        </li>
        <li>
          {requests === 0
            ? 'Nobody has called the API in the last 30 days.'
            : `${counted(requests, 'request')} in the last 30 days, ${numberText(lately)} of them in the last ${days}.`}
        </li>
      </ul>
    </>
  )
}
