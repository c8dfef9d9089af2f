import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { assetIdPattern } from '../assets/asset-id.ts'
import { assetUrlPattern } from '../assets/asset-urls.ts'
import { productLimits } from '../limits/products.ts'

const Kind = OneOf(['image', 'document', 'video'])
const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

/** A media item in the response of a product. */
const MediaItem = Type.Object(
  {
    url: Type.String(),
    kind: Kind,
    alt: OptionalText,
    title: OptionalText,
    asset: Type.Optional(Type.String({ description: 'ID of the uploaded file; omitted for other URLs' })),
    thumbnail: Type.Optional(
      Type.Unsafe<string | null>({
        ...OptionalText,
        description: 'URL of an image of at most 256 pixels per side; null for documents and videos',
      }),
    ),
  },
  closed,
)
export type MediaItem = Type.Static<typeof MediaItem>

export const Media = Type.Array(MediaItem)

const TextInput = { type: ['string', 'null'], maxLength: productLimits.mediaTextCharacters, default: null }

/** An item has the ID of an uploaded file, or a URL. A response has both. */
export type MediaInputItem = Omit<MediaItem, 'url'> & { url?: string }

/** A media item in a body. Validation fills in the defaults, so that repeating a write changes nothing. */
export const MediaInput = Type.Unsafe<MediaInputItem[]>(
  Type.Array(
    Type.Object(
      {
        asset: Type.Optional(
          Type.String({
            pattern: assetIdPattern,
            description: 'the ID of an uploaded file, such as sha256:… with 64 hexadecimal digits',
          }),
        ),
        url: Type.Optional(
          Type.String({
            maxLength: productLimits.mediaUrlCharacters,
            'x-https-url': assetUrlPattern,
            description: 'an https URL without a user name and password',
          }),
        ),
        kind: Type.Optional(
          Type.Unsafe({ ...Kind, default: 'image', description: 'An uploaded file has its own kind' }),
        ),
        alt: Type.Optional(
          Type.Unsafe({ ...TextInput, description: 'Alternative text that describes what the item shows' }),
        ),
        title: Type.Optional(Type.Unsafe(TextInput)),
        thumbnail: Type.Optional(Type.Unsafe({ ...OptionalText, description: 'Ignored' })),
      },
      { ...closed, anyOf: [{ required: ['url'] }, { required: ['asset'] }] },
    ),
    {
      maxItems: productLimits.media,
      description:
        'Images, documents and videos, in order; replaced as a whole. An item has an `asset` or a `url`; the URL of an uploaded file becomes its asset',
    },
  ),
)
