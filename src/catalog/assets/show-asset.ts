import { assetId } from '../../model/assets/asset-id.ts'
import { assetPath, thumbnailPaths } from '../../model/assets/asset-urls.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { Asset } from './asset.schema.ts'
import type { AssetRow } from './asset.sql.ts'

/** An asset for responses. Its URLs are the same in every state. */
export function showAsset(row: AssetRow, baseUrl: string): Asset {
  const { hash, kind, mime, bytes, width, height, state, media_key, created_at } = row
  if (state === 'erased') throw new Problem('asset_erased')
  const thumbnails = thumbnailPaths(media_key, hash, kind)
  return {
    ...{ id: assetId(hash), kind, mime, bytes, width, height, state },
    url: baseUrl + assetPath(media_key, hash, kind),
    thumbnails: thumbnails && {
      64: baseUrl + thumbnails[64],
      256: baseUrl + thumbnails[256],
      1024: baseUrl + thumbnails[1024],
    },
    created_at,
  }
}
