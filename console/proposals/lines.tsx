import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ProblemError } from '../network.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { pageSize } from '../queries.ts'
import type { Page, Proposal, ProposalLine } from '../wire.ts'
import { isUndecided, Line } from './line.tsx'
import { LineFilterLinks } from './line-filters.tsx'
import styles from './lines.module.css'
import { linesQuery } from './queries.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useRowKeys } from './use-row-keys.ts'

type Props = { project: number; proposal: Proposal; isBusy: boolean }

/** The lines of a proposal, page by page; the address says which. */
export function Lines({ project, proposal, isBusy }: Props) {
  const { page = 1, ...filters } = useSearch({
    from: '/signed-in/projects/$projectId/proposals/$proposalId',
  })
  const navigate = useNavigate()
  const query = useQuery(linesQuery(project, proposal.id, filters, page))
  const go = (to: number, isReplaced = false) =>
    navigate({
      to: '/projects/$projectId/proposals/$proposalId',
      params: { projectId: project, proposalId: proposal.id },
      search: { ...filters, ...(to > 1 && { page: to }) },
      replace: isReplaced,
    })
  useFirstPageInstead(query.error, () => go(1, true))
  const isOpen = !['discarded', 'expired', 'failed'].includes(proposal.state)
  return (
    <Card title="Lines" flush>
      <LineFilterLinks project={project} proposal={proposal} filters={filters} />
      <Loaded query={query} rows={12}>
        {(data) =>
          data.count === 0 ? (
            <Empty title="No such lines">Choose another state above.</Empty>
          ) : (
            <>
              <PageOfLines
                // Another page, or another filter, begins with nothing chosen.
                key={`${page} ${filters.state} ${filters.outcome}`}
                project={project}
                id={proposal.id}
                data={data}
                isStale={query.isPlaceholderData}
                isDecidable={isOpen && !isBusy}
              />
              <Pager page={page} pageSize={pageSize} data={data} go={(to) => go(to)} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

/** Lines leave a filter when something is decided of them, and a page may be none any more. */
function useFirstPageInstead(error: Error | null, goToFirst: () => void): void {
  const isGone = error instanceof ProblemError && error.code === 'invalid_page'
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes once for each page that is gone
  useEffect(() => {
    if (isGone) goToFirst()
  }, [isGone])
}

type PageProps = {
  project: number
  id: number
  data: Page<ProposalLine>
  isStale: boolean
  isDecidable: boolean
}

function PageOfLines({ project, id, data: { results }, isStale, isDecidable }: PageProps) {
  const [numbers, setNumbers] = useState<ReadonlySet<number>>(new Set())
  const list = useRef<HTMLOListElement>(null)
  useRowKeys(list)
  const undecided = isDecidable && !isStale ? results.filter(isUndecided) : []
  const chosen = undecided.filter(({ line }) => numbers.has(line))
  const choose = (lines: ProposalLine[]) => setNumbers(new Set(lines.map(({ line }) => line)))
  return (
    <>
      {results.some(isUndecided) && (
        <SelectionBar project={project} id={id} lines={undecided} chosen={chosen} choose={choose} />
      )}
      <ol ref={list} aria-busy={isStale} className={styles.lines}>
        {results.map((line) => (
          <Line
            key={line.line}
            project={project}
            line={line}
            isChosen={chosen.includes(line)}
            choose={
              undecided.includes(line)
                ? (isChosen) =>
                    choose(isChosen ? [...chosen, line] : chosen.filter((other) => other !== line))
                : undefined
            }
          />
        ))}
      </ol>
    </>
  )
}
