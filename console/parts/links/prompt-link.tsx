import { Anchor } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { strings } from '../strings.ts'

type Props = { prompt_id: number; version_number: string }

/** Links to a prompt version. */
export function PromptLink({ prompt_id, version_number }: Props) {
  const { projectId } = useParams({ strict: false })
  return (
    <Anchor
      component={Link}
      to={`/projects/${projectId}/prompts/${prompt_id}`}
      search={{ version: version_number } as never}
    >
      {strings.links.promptVersion(prompt_id, version_number)}
    </Anchor>
  )
}
