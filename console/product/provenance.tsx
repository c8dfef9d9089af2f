import { RelativeTime } from '../parts/format/relative-time.tsx'
import { PromptLink } from '../parts/links/prompt-link.tsx'
import type { Provenance } from '../wire.ts'
import { strings } from './strings.ts'

type Props = { provenance: Provenance; field: string }

/** The prompt that wrote the current value, if any. */
export function WrittenBy({ provenance, field }: Props) {
  const entry = provenance[field]
  if (entry === undefined) return null
  const { prompt_id, version_number, model, reviewed_by, at } = entry
  return (
    <>
      {strings.provenance.writtenBy} <PromptLink prompt_id={prompt_id} version_number={version_number} />
      {strings.provenance.model(model)} <RelativeTime at={at} isInSentence />
      {reviewed_by !== null && (
        <>
          {strings.provenance.reviewedBy} <bdi>{reviewed_by}</bdi>
        </>
      )}
    </>
  )
}

/** Undefined without provenance, so that the field reserves no space for a description. */
export function writtenBy(provenance: Provenance, field: string) {
  return field in provenance ? <WrittenBy provenance={provenance} field={field} /> : undefined
}
