import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { productLimits } from '../limits/products.ts'

const Kind = OneOf(['image', 'document', 'video'])
const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

/** A media item in the response of a product. */
const MediaItem = Type.Object(
  { url: Type.String(), kind: Kind, alt: OptionalText, title: OptionalText },
  closed,
)
export type MediaItem = Type.Static<typeof MediaItem>

export const Media = Type.Array(MediaItem)

const TextInput = { type: ['string', 'null'], maxLength: productLimits.mediaTextCharacters, default: null }

/** A media item in a body. Validation fills in the defaults, so that repeating a write changes nothing. */
export const MediaInput = Type.Unsafe<MediaItem[]>(
  Type.Array(
    Type.Object(
      {
        url: Type.String({
          maxLength: productLimits.mediaUrlCharacters,
          'x-https-url': true,
          description: 'an https URL without a user name and password; the service never fetches it',
        }),
        kind: Type.Optional(Type.Unsafe({ ...Kind, default: 'image' })),
        alt: Type.Optional(
          Type.Unsafe({ ...TextInput, description: 'Alternative text that describes what the item shows' }),
        ),
        title: Type.Optional(Type.Unsafe(TextInput)),
      },
      closed,
    ),
    {
      maxItems: productLimits.media,
      description: 'Images, documents and videos, in order; replaced as a whole',
    },
  ),
)
