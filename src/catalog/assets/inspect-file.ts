import { type AssetKind, assetTypes, isAssetMime } from '../../model/assets/asset-types.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import { Problem } from '../../platform/http/problems.ts'
import { detectType, isDecoded, readType } from '../../platform/images/detect-type.ts'
import { readDimensions } from '../../platform/images/read-dimensions.ts'

export type InspectedFile = { kind: AssetKind; mime: string; width: number | null; height: number | null }

/** The type and the dimensions of a file by its content. Throws if the service does not accept the file. */
export async function inspectFile(path: string, declared?: string): Promise<InspectedFile> {
  const mime = await detectType(path)
  if (mime === undefined || !isAssetMime(mime))
    throw new Problem('unsupported_media_type', {
      detail: `The file does not have one of these types: ${Object.keys(assetTypes).join(', ')}.`,
    })
  if (declared !== undefined && readType(declared) !== mime)
    throw new Problem('type_mismatch', {
      detail: `The file has the type ${mime}. Send this type in the Content-Type header.`,
    })
  const dimensions = isDecoded(mime) ? await readDimensions(path, mime) : undefined
  const { width = null, height = null } = dimensions ?? {}
  if (width !== null && height !== null && width * height > assetLimits.pixels)
    throw new Problem('too_many_pixels')
  return { kind: assetTypes[mime].kind, mime, width, height }
}
