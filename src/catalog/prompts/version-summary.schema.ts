import { Type } from 'typebox'
import { promptLimits } from '../../model/limits/prompts.ts'
import { Timestamp } from '../../model/product/product.schema.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const summaryFields = {
  version_number: VersionNumber,
  message: Type.String(),
  actor: Type.String({ description: 'Who added it: the name of a token, or the email of a person' }),
  created_at: Timestamp,
}

/** A version without its text, for pages of the console that show many. */
const VersionSummarySchema = Type.Object(summaryFields, closed)
export type VersionSummary = Type.Static<typeof VersionSummarySchema>

export const VersionSummaryPageSchema = EnvelopeOf(VersionSummarySchema)
export const VersionSummaryQuerySchema = Type.Object(pageParameters)

const LatestVersionSchema = Type.Object({ prompt: Type.Integer(), ...summaryFields }, closed)
export type LatestVersion = Type.Static<typeof LatestVersionSchema>

export const LatestVersionsSchema = Type.Object({ results: Type.Array(LatestVersionSchema) }, closed)
export const LatestVersionsQuerySchema = Type.Object({
  prompt__in: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      style: 'form',
      explode: false,
      maxItems: promptLimits.summarizedPrompts,
    }),
  ),
})
