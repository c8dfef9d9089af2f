import { assetTypes, isAssetMime } from '../../model/assets/asset-types.ts'
import { type ImageSize, originalFile, sizeFile } from '../../model/assets/asset-urls.ts'
import type { SentFile } from '../../platform/http/response/send-file.ts'
import type { AssetRow } from './asset.sql.ts'

type Content = Omit<SentFile, 'cacheControl'>
type StoredAsset = Pick<AssetRow, 'hash' | 'file' | 'mime' | 'bytes' | 'kind'>

export function originalContent(projectId: number, { hash, file, mime, bytes, kind }: StoredAsset): Content {
  return {
    path: originalFile(projectId, hash, file),
    type: mime,
    tag: `"${hash}"`,
    bytes,
    savedAs: kind === 'image' || !isAssetMime(mime) ? undefined : `${hash}.${assetTypes[mime].extension}`,
  }
}

export function sizeContent(projectId: number, { hash, file }: StoredAsset, size: ImageSize): Content {
  return {
    path: sizeFile(projectId, hash, file, size),
    type: 'image/webp',
    tag: `"${hash}-${size}"`,
  }
}
