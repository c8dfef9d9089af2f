import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { compareVersions, parseVersion, type VersionNumber } from '../../src/model/prompts/version-number.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Pager } from '../parts/lists/pager.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { pageSize } from '../queries.ts'
import type { VersionSummary } from '../wire.ts'
import { LabelTags } from './labels/label-tags.tsx'
import { versionsQuery } from './queries.ts'
import { type PromptSearch, pairText } from './search-params.ts'
import { strings } from './strings.ts'
import styles from './versions-card.module.css'
import type { ViewProps } from './view-props.ts'

/** All versions, latest first. Each can be opened, or compared with the one that is shown. */
export function VersionsCard(props: ViewProps) {
  const { project, prompt, search, see } = props
  const page = search.page ?? 1
  const query = useQuery(versionsQuery(project, prompt.id, page))
  return (
    <Card title={strings.versions.title} flush>
      <Loaded query={query} rows={8}>
        {(data) => (
          <>
            <ol
              className={styles.versions}
              aria-label={strings.versions.title}
              aria-busy={query.isPlaceholderData}
            >
              {data.results.map((one) => (
                <Version key={one.version_number} {...props} one={one} />
              ))}
            </ol>
            <Pager
              page={page}
              pageSize={pageSize}
              data={data}
              go={(next) => see({ ...search, page: next })}
            />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Version({ project, prompt, search, version: shown, one }: ViewProps & { one: VersionSummary }) {
  const { version_number: number, message, actor, created_at } = one
  const isShown = number === shown
  const to = `/projects/${project}/prompts/${prompt.id}`
  const linked = (next: PromptSearch) =>
    ({ component: Link, to, search: next as never, resetScroll: false }) as const
  return (
    <li className={styles.version} data-shown={isShown}>
      <div className={styles.head}>
        <Anchor
          {...linked({ ...(search.page && { page: search.page }), version: number })}
          className={styles.number}
          aria-current={isShown ? 'true' : undefined}
        >
          {number}
        </Anchor>
        <LabelTags prompt={prompt} version={number} />
      </div>
      {message !== '' && (
        <div className={styles.message} dir="auto">
          {message}
        </div>
      )}
      <div className={styles.small}>
        <bdi>{actor}</bdi>
        {', '}
        <RelativeTime at={created_at} />
        {!isShown && (
          <>
            {' · '}
            <Anchor {...linked({ view: 'compare', compare: inOrder(number, shown) })}>
              {strings.versions.compare}
              <span className="unseen"> {number}</span>
              {strings.versions.with(shown)}
            </Anchor>
          </>
        )}
      </div>
    </li>
  )
}

/** The earlier version on the left. */
function inOrder(one: string, other: string): string {
  const [first, second] = [one, other].map((text) => parseVersion(text) as VersionNumber)
  const isEarlier = compareVersions(first as VersionNumber, second as VersionNumber) < 0
  return isEarlier ? pairText(one, other) : pairText(other, one)
}
