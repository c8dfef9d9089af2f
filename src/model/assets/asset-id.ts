const prefix = 'sha256:'

export const assetIdPattern = '^sha256:[0-9a-f]{64}$'
const form = new RegExp(assetIdPattern)

/** The id of an asset: the hash of its bytes. */
export function assetId(hash: string): string {
  return prefix + hash
}

/** The hash in an id; undefined if it is not an asset id. */
export function hashOfAssetId(id: string): string | undefined {
  return form.test(id) ? id.slice(prefix.length) : undefined
}
