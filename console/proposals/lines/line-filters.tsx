import { Link } from '@tanstack/react-router'
import { numberText } from '../../parts/format/number-text.ts'
import links from '../../parts/links/filter-links.module.css'
import type { Proposal } from '../../wire.ts'
import type { LineFilters } from '../queries.ts'
import type { LineState, Outcome } from '../states.ts'
import { strings } from '../strings.ts'
import styles from './line-filters.module.css'

type Choice = { name: string; count: number; search: LineFilters; isAlways?: boolean }

const states: [LineState, string][] = [
  ['open', strings.lines.filters.open],
  ['conflict', strings.lines.filters.conflict],
  ['rejected', strings.lines.filters.rejected],
  ['applied', strings.lines.filters.applied],
  ['discarded', strings.lines.filters.discarded],
]
const outcomes: [Outcome, string][] = [
  ['created', strings.lines.filters.created],
  ['updated', strings.lines.filters.updated],
  ['unchanged', strings.lines.filters.unchanged],
]

type Props = {
  project: number
  proposal: Proposal
  filters: LineFilters
  /** The language or market, which stays. */
  market: string | undefined
}

/** Line counts by state and outcome, each linked to its lines. */
export function LineFilterLinks({ project, proposal, filters, market }: Props) {
  const { total, states: inState, outcomes: byOutcome } = proposal.summary
  const groups: Record<string, Choice[]> = {
    [strings.lines.byState]: [
      { name: strings.lines.filters.all, count: total, search: {}, isAlways: true },
      ...states.map(([state, name]) => ({ name, count: inState[state], search: { state } })),
    ],
    [strings.lines.byOutcome]: outcomes.map(([outcome, name]) => ({
      name,
      count: byOutcome[outcome],
      search: { outcome },
    })),
  }
  return (
    <div className={styles.filters}>
      {Object.entries(groups).map(([label, choices]) => (
        <nav key={label} aria-label={label}>
          <ul className={links.list}>
            {choices
              .filter(({ count, search, isAlways }) => count > 0 || isAlways || isSame(search, filters))
              .map(({ name, count, search }) => (
                <li key={name}>
                  <Link
                    to="/projects/$projectId/proposals/$proposalId"
                    params={{ projectId: project, proposalId: proposal.id }}
                    search={{ ...search, ...(market !== undefined && { market }) }}
                    resetScroll={false}
                    activeOptions={{ exact: true, includeSearch: false }}
                    aria-current={isSame(search, filters) ? 'page' : undefined}
                    data-chosen={isSame(search, filters)}
                    className={links.filter}
                  >
                    {name} <span className="tabular">{numberText(count)}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
      ))}
    </div>
  )
}

function isSame(search: LineFilters, { state, outcome }: LineFilters): boolean {
  return search.state === state && search.outcome === outcome
}
