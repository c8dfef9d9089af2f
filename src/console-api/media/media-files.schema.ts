import { Type } from 'typebox'
import { AssetSchema } from '../../catalog/assets/asset.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

/** Files that need attention: never shown, too small for a shop, or shown without alternative text. */
const fileFilters = ['unused', 'too_small', 'undescribed'] as const
export type FileFilter = (typeof fileFilters)[number]

export const FilesQuerySchema = Type.Object({
  ...pageParameters,
  only: Type.Optional(OneOf(fileFilters)),
})

const useCounts = {
  shown: Type.Integer({ description: 'Products that show it; counting stops at a limit' }),
  undescribed: Type.Integer({ description: 'Of these, products that have no alternative text for it' }),
  named: Type.Integer({ description: 'Products that show it or showed it in the past' }),
}

export const FilePageSchema = EnvelopeOf(Type.Object({ ...AssetSchema.properties, ...useCounts }, closed))
export type MediaFile = Type.Static<typeof FilePageSchema>['results'][number]

export const FileUsesSchema = Type.Object(
  {
    products: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          sku: Type.String(),
          name: Type.String(),
          alt: Type.Union([Type.String(), Type.Null()]),
        },
        closed,
      ),
      { description: 'The first products that show the file' },
    ),
    has_more: Type.Boolean(),
  },
  closed,
)
export type FileUses = Type.Static<typeof FileUsesSchema>
