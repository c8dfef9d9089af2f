import { useQuery } from '@tanstack/react-query'
import { apiAccessQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import styles from './operator.module.css'
import { strings } from './project-strings.ts'

const days = 7

/** The tokens and the traffic that a project loses without API access. */
export function ApiAccessImpact({ project }: { project: OperatorProject }) {
  const usage = useQuery(apiAccessQuery(project.id)).data?.usage.slice(-days) ?? []
  const recent = usage.reduce((sum, { requests }) => sum + requests, 0)
  const { active_tokens: tokens, requests_30_days: requests } = project
  return (
    <>
      <p className={styles.impact}>{strings.turnOff.text}</p>
      <ul className={styles.consequences}>
        <li>{tokens === 0 ? strings.turnOff.noTokens : strings.turnOff.tokens(tokens)}</li>
        <li>
          {requests === 0 ? strings.turnOff.noRequests : strings.turnOff.requests(requests, recent, days)}
        </li>
      </ul>
    </>
  )
}
