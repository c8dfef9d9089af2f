import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { promptNameQuery } from '../../queries.ts'
import { strings } from '../strings.ts'

type Props = { prompt_id: number; version_number: string }

/** Links to a prompt version, by the name of the prompt as soon as it is loaded. */
export function PromptLink({ prompt_id, version_number }: Props) {
  const projectId = Number(useParams({ strict: false }).projectId)
  const { data: name = strings.links.prompt(prompt_id) } = useQuery(promptNameQuery(projectId, prompt_id))
  return (
    <Anchor
      component={Link}
      to={`/projects/${projectId}/prompts/${prompt_id}`}
      search={{ version: version_number } as never}
    >
      <bdi>{name}</bdi> {version_number}
    </Anchor>
  )
}
