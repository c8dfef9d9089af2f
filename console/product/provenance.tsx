import { PromptLink } from '../parts/links/prompt-link.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { Provenance } from '../wire.ts'
import { strings } from './strings.ts'

type Props = { provenance: Provenance; field: string }

/** Which prompt wrote the value that the product has; nothing where none did. */
export function WrittenBy({ provenance, field }: Props) {
  const entry = provenance[field]
  if (entry === undefined) return null
  const { prompt_id, version_number, model, reviewed_by, at } = entry
  return (
    <>
      {strings.provenance.writtenBy} <PromptLink prompt_id={prompt_id} version_number={version_number} />
      {strings.provenance.model(model)} <Moment at={at} />
      {reviewed_by !== null && (
        <>
          {strings.provenance.reviewedBy} <bdi>{reviewed_by}</bdi>
        </>
      )}
    </>
  )
}

/** For the description of a field, which takes up room where there is one. */
export function writtenBy(provenance: Provenance, field: string) {
  return field in provenance ? <WrittenBy provenance={provenance} field={field} /> : undefined
}
