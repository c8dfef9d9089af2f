import { Type } from 'typebox'
import { assetKinds } from '../../model/assets/asset-types.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const assetStates = ['processing', 'ready', 'failed'] as const

const Pixels = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
const Url = Type.String({ format: 'uri' })

const hash = 'ecbfd0a1be9be1a5b2b4ca5e5b4f5ec7a4a4f3a9f0a4a8f1f0a6f2d2d7c5f6e1'
const exampleUrl = `https://catalog.example/media/Zk3vQ0rT8sN1aXyB7cDeFg/${hash}`

export const AssetSchema = Type.Object(
  {
    id: Type.String({ description: 'SHA-256 of the bytes. Send it as `asset` of a media item' }),
    kind: OneOf([...assetKinds]),
    mime: Type.String({ description: 'MIME type that the service detected' }),
    bytes: Type.Integer(),
    width: Type.Unsafe<number | null>({ ...Pixels, description: 'In pixels; null if unknown' }),
    height: Type.Unsafe<number | null>({ ...Pixels, description: 'In pixels; null if unknown' }),
    state: OneOf([...assetStates], {
      description:
        'Whether the thumbnails exist: `processing` until the service has made them, `failed` if it cannot decode the image',
    }),
    url: Type.String({
      format: 'uri',
      description:
        'Permanent public URL. For an image, a WebP image of at most 2,048 pixels per side; otherwise the file',
    }),
    thumbnails: Type.Union([Type.Object({ 64: Url, 256: Url, 1024: Url }, closed), Type.Null()], {
      description: 'Public URLs by the maximum number of pixels per side; null if the file is not an image',
    }),
    created_at: Type.String({ format: 'date-time' }),
  },
  {
    ...closed,
    $id: 'Asset',
    examples: [
      {
        id: `sha256:${hash}`,
        kind: 'image',
        mime: 'image/jpeg',
        bytes: 184_320,
        width: 1_600,
        height: 1_200,
        state: 'ready',
        url: `${exampleUrl}/2048.webp`,
        thumbnails: {
          64: `${exampleUrl}/64.webp`,
          256: `${exampleUrl}/256.webp`,
          1024: `${exampleUrl}/1024.webp`,
        },
        created_at: '2027-01-31T12:00:00.000Z',
      },
    ],
  },
)
export type Asset = Type.Static<typeof AssetSchema>

export const AssetPageSchema = PageOf(AssetSchema, 'AssetPage')

export const AssetQuerySchema = Type.Object({
  ...pageParameters,
  kind: Type.Optional(OneOf([...assetKinds])),
  unused: Type.Optional(
    Type.Boolean({ description: 'true: only assets that no product shows or has shown; false: all others' }),
  ),
})

export const StorageSchema = Type.Object(
  {
    used_bytes: Type.Integer({
      description: 'Bytes of all uploaded files and of uploads in progress, without thumbnails',
    }),
    quota_bytes: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Quota of the plan. Uploads that exceed it return 409 `storage_full`. null means no limit',
    }),
  },
  { ...closed, $id: 'Storage', examples: [{ used_bytes: 184_320, quota_bytes: 1_073_741_824 }] },
)
export type Storage = Type.Static<typeof StorageSchema>

export const ContentQuerySchema = Type.Object({
  width: Type.Optional(
    OneOf(['64', '256', '1024', '2048'], {
      description: 'Returns a WebP image of at most this many pixels per side instead of the original',
    }),
  ),
})

export const DeleteQuerySchema = Type.Object({
  erase: Type.Optional(
    Type.Boolean({ default: false, description: 'Removes the bytes even if a product shows the file' }),
  ),
})
