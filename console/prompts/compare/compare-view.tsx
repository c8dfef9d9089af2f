import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import type { PromptVersionDetail, VersionSummary } from '../../wire.ts'
import { versionQuery, versionsQuery } from '../queries.ts'
import { pairText, readPair } from '../search-params.ts'
import { strings } from '../strings.ts'
import { mostChoices, VersionSelect } from '../version-select.tsx'
import type { ViewProps } from '../view-props.ts'
import { combineQueries } from './combined-query.ts'
import styles from './compare-view.module.css'
import { SideBySide } from './side-by-side.tsx'
import { VariableChanges } from './variable-changes.tsx'

/** The two versions in the URL. Default: a version and its predecessor. */
export function CompareView(props: ViewProps) {
  const { project, prompt, search, version } = props
  const named = readPair(search.compare)
  const query = useQuery({
    ...versionsQuery(project, prompt.id, 1, mostChoices),
    enabled: named === undefined,
  })
  const pair = named ?? withNeighbor(query.data?.results ?? [], version)
  if (pair !== undefined) return <Pair {...props} {...pair} />
  return (
    <Card title={strings.compare.title} flush>
      <Loaded query={query}>
        {() => <Empty title={strings.compare.onlyOne}>{strings.compare.onlyOneHint}</Empty>}
      </Loaded>
    </Card>
  )
}

/** A version and its predecessor. The first version is paired with its successor. */
function withNeighbor(versions: VersionSummary[], version: string) {
  const index = versions.findIndex(({ version_number }) => version_number === version)
  const before = versions[index + 1]
  if (before !== undefined) return { from: before.version_number, to: version }
  const after = versions[index - 1]
  return after && { from: version, to: after.version_number }
}

type PairProps = ViewProps & { from: string; to: string }

function Pair({ project, prompt, from, to, see }: PairProps) {
  const earlier = useQuery(versionQuery(project, prompt.id, from))
  const later = useQuery(versionQuery(project, prompt.id, to))
  const go = (first: string, second: string) => see({ view: 'compare', compare: pairText(first, second) })
  const choice = { project, prompt, isBare: true }
  return (
    <Card
      title={strings.compare.title}
      lead={strings.compare.lead}
      actions={
        <div className={styles.choice}>
          <VersionSelect
            {...choice}
            label={strings.compare.from}
            value={from}
            choose={(next) => go(next, to)}
          />
          <VersionSelect
            {...choice}
            label={strings.compare.to}
            value={to}
            choose={(next) => go(from, next)}
          />
          <Button variant="default" onClick={() => go(to, from)}>
            {strings.compare.swap}
          </Button>
        </div>
      }
    >
      <Loaded query={combineQueries(earlier, later)} rows={8}>
        {([one, other]) => (
          <div className={styles.pair}>
            <VariableChanges before={one.variables} after={other.variables} />
            <SideBySide
              from={{
                name: strings.compare.version(from),
                head: <VersionHead version={one} />,
                text: one.prompt_text,
              }}
              to={{
                name: strings.compare.version(to),
                head: <VersionHead version={other} />,
                text: other.prompt_text,
              }}
            />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function VersionHead({
  version: { version_number, message, actor, created_at },
}: {
  version: PromptVersionDetail
}) {
  return (
    <div className={styles.head}>
      <strong className="tabular">{version_number}</strong>
      {strings.compare.by}
      <bdi>{actor}</bdi>
      {', '}
      <RelativeTime at={created_at} />
      {message !== '' && (
        <div className={styles.message} dir="auto">
          {message}
        </div>
      )}
    </div>
  )
}
