import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { MarketSwitch } from '../../markets/market-switch.tsx'
import { ProblemError } from '../../network.ts'
import { Pager } from '../../parts/lists/pager.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { namedProductsQuery } from '../../product/queries.ts'
import type { Page, Proposal, ProposalLine } from '../../wire.ts'
import { linesQuery, linesShown } from '../queries.ts'
import { ReviewBar } from '../review/review-bar.tsx'
import { useLineReview } from '../review/use-line-review.tsx'
import { type Marks, useMarks } from '../review/use-marks.ts'
import { strings } from '../strings.ts'
import { isUndecided, Line } from './line.tsx'
import { LineFilterLinks } from './line-filters.tsx'
import styles from './lines.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { useRowKeys } from './use-row-keys.ts'

type Props = { project: number; proposal: Proposal; isBusy: boolean }

/** The lines of a proposal. The URL holds the page and filters. */
export function Lines({ project, proposal, isBusy }: Props) {
  const {
    page = 1,
    few = false,
    market,
    ...filters
  } = useSearch({
    from: '/signed-in/projects/$projectId/proposals/$proposalId',
  })
  const navigate = useNavigate()
  const size = few ? linesShown.few : linesShown.usual
  const { revision, origin } = proposal
  const query = useQuery(
    linesQuery(project, proposal.id, filters, { page, size, revision, isFlaggedFirst: origin === 'run' }),
  )
  const marks = useMarks(proposal)
  const go = (to: number, options: { few?: boolean; replace?: boolean } = {}) =>
    navigate({
      to: '/projects/$projectId/proposals/$proposalId',
      params: { projectId: project, proposalId: proposal.id },
      search: {
        ...filters,
        ...(market !== undefined && { market }),
        ...((options.few ?? few) && { few: true }),
        ...(to > 1 && { page: to }),
      },
      replace: options.replace ?? false,
    })
  useAnotherPage(query.error, {
    // Applied and discarded lines leave a filter, so the page can disappear.
    invalid_page: () => go(1, { replace: true }),
    // Very large products: show fewer per page, starting at the same line.
    page_too_large: () =>
      few || go(((page - 1) * linesShown.usual) / linesShown.few + 1, { few: true, replace: true }),
  })
  const { canWrite } = usePermissions()
  const isOpen = !['discarded', 'expired', 'failed'].includes(proposal.state)
  return (
    <Card
      title={strings.lines.title}
      flush
      actions={
        <MarketSwitch
          value={market}
          none={strings.lines.allMarkets}
          choose={(next) =>
            void navigate({
              to: '/projects/$projectId/proposals/$proposalId',
              params: { projectId: project, proposalId: proposal.id },
              search: ({ market: _before, ...search }) => ({ ...search, ...(next && { market: next }) }),
              resetScroll: false,
            })
          }
        />
      }
    >
      <LineFilterLinks project={project} proposal={proposal} filters={filters} market={market} />
      <Loaded query={query} rows={12}>
        {(data) =>
          data.count === 0 ? (
            <Empty title={strings.lines.noneTitle}>{strings.lines.noneText}</Empty>
          ) : (
            <>
              <PageOfLines
                // Another page or filter starts without a selection.
                key={`${page} ${filters.state} ${filters.outcome}`}
                project={project}
                proposal={proposal}
                marks={marks}
                market={market}
                turn={(by) => {
                  if (by === 1 ? data.next !== null : page > 1) void go(page + by)
                }}
                data={data}
                isStale={query.isPlaceholderData}
                isDecidable={isOpen && !isBusy}
                isOffered={canWrite}
              />
              <Pager page={page} pageSize={size} data={data} go={(to) => go(to)} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

/** Navigates away once if the page cannot be loaded. */
function useAnotherPage(error: Error | null, ways: Record<string, () => unknown>): void {
  const code = error instanceof ProblemError ? error.code : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ways are new each time
  useEffect(() => {
    if (Object.hasOwn(ways, code)) ways[code]?.()
  }, [code])
}

type PageProps = {
  project: number
  proposal: Proposal
  marks: Marks
  /** The language or market of the names. */
  market: string | undefined
  turn: (by: 1 | -1) => void
  data: Page<ProposalLine>
  isStale: boolean
  isDecidable: boolean
  /** Whether the user has the permission to apply or discard lines. */
  isOffered: boolean
}

function PageOfLines(props: PageProps) {
  const { project, proposal, marks, market, turn, isStale, isDecidable, isOffered } = props
  const { results } = props.data
  const { id } = proposal
  const [numbers, setNumbers] = useState<ReadonlySet<number>>(new Set())
  const { data: products } = useQuery(
    namedProductsQuery(
      project,
      results.map(({ product_id }) => product_id),
      market,
    ),
  )
  const list = useRef<HTMLOListElement>(null)
  useRowKeys(list)
  const undecided = isDecidable && isOffered && !isStale ? results.filter(isUndecided) : []
  const chosen = undecided.filter(({ line }) => numbers.has(line))
  const { canManage } = usePermissions()
  const { reviewOf, region } = useLineReview({ project, proposal, list, lines: undecided, marks, turn })
  const choose = (lines: ProposalLine[]) => setNumbers(new Set(lines.map(({ line }) => line)))
  return (
    <>
      <div className={styles.bars}>
        {isOffered && results.some(isUndecided) && (
          <SelectionBar project={project} id={id} lines={undecided} chosen={chosen} choose={choose} />
        )}
        {undecided.length + marks.of.size > 0 && isOffered && isDecidable && (
          <ReviewBar project={project} id={id} marks={marks} canAccept={canManage} />
        )}
      </div>
      {region}
      <ol ref={list} aria-busy={isStale} className={styles.lines}>
        {results.map((line) => (
          <Line
            key={line.line}
            project={project}
            line={line}
            market={market}
            product={products?.get(line.product_id ?? 0)}
            isChosen={chosen.includes(line)}
            choose={
              undecided.includes(line)
                ? (isChosen) =>
                    choose(isChosen ? [...chosen, line] : chosen.filter((other) => other !== line))
                : undefined
            }
            review={reviewOf(line)}
          />
        ))}
      </ol>
    </>
  )
}
