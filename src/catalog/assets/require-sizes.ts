import { assetLimits } from '../../model/limits/assets.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { AssetRow } from './asset.sql.ts'

/** Throws 404 unless the smaller sizes of an image exist. */
export function requireSizes<Row extends Pick<AssetRow, 'state' | 'kind'>>(asset: Row): Row {
  if (asset.kind === 'image' && asset.state === 'ready') return asset
  if (asset.kind === 'image' && asset.state === 'processing')
    throw new Problem('not_found', {
      detail: 'The service is still making the smaller sizes of this image.',
      headers: { 'retry-after': String(assetLimits.thumbnailRetrySeconds) },
    })
  throw new Problem('not_found', { detail: 'This file has no smaller sizes.' })
}
