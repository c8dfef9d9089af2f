import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { LabelDialog } from './labels/label-dialog.tsx'
import { LabelTags, VariableChips } from './labels/label-tags.tsx'
import styles from './prompts.module.css'
import { versionQuery } from './queries.ts'
import { strings } from './strings.ts'
import { TemplateText } from './template-text.tsx'
import { VersionsCard } from './versions-card.tsx'
import type { ViewProps } from './view-props.ts'

/** One version, and the list of all versions. */
export function TextView(props: ViewProps) {
  const { project, prompt, version, canEdit, see } = props
  const query = useQuery(versionQuery(project, prompt.id, version))
  const [isLabeling, setLabeling] = useState(false)
  return (
    <div className={styles.columns}>
      <Card
        title={strings.text.title(version)}
        lead={query.data && <VersionSummary {...query.data} />}
        actions={
          canEdit && (
            <>
              <Button variant="default" size="xs" onClick={() => setLabeling(true)}>
                {strings.text.setLabel}
              </Button>
              <Button variant="default" size="xs" onClick={() => see({ view: 'edit', version })}>
                {strings.text.newVersion}
              </Button>
            </>
          )
        }
      >
        <Loaded query={query} rows={8}>
          {({ prompt_text, variables }) => (
            <div className={styles.fields}>
              <LabelTags prompt={prompt} version={version} />
              <TemplateText text={prompt_text} variables={variables} />
              <div>
                <p className={styles.label}>{strings.fields.variables}</p>
                <VariableChips names={variables} />
              </div>
            </div>
          )}
        </Loaded>
      </Card>
      <VersionsCard {...props} />
      {isLabeling && (
        <LabelDialog project={project} prompt={prompt} version={version} close={() => setLabeling(false)} />
      )}
    </div>
  )
}

function VersionSummary({
  message,
  actor,
  created_at,
}: {
  message: string
  actor: string
  created_at: string
}) {
  return (
    <>
      {message !== '' && (
        <span dir="auto">
          {message}
          {/[.!?…]$/.test(message) ? ' ' : '. '}
        </span>
      )}
      {strings.text.addedBy} <bdi>{actor}</bdi>
      {', '}
      <RelativeTime at={created_at} />
    </>
  )
}
