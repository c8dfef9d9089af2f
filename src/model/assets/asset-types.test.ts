import { expect, test } from 'vitest'
import { assetKinds, assetTypes, isAssetMime } from './asset-types.ts'
import { imageSizes, readAssetPath, sizePath } from './asset-urls.ts'

test('neither text formats nor images that can contain scripts are accepted', () => {
  for (const mime of ['image/svg+xml', 'text/html', 'application/xhtml+xml', 'text/plain', 'constructor'])
    expect(isAssetMime(mime), mime).toBe(false)
})

test('every accepted type has a kind', () => {
  const kinds = new Set(Object.values(assetTypes).map(({ kind }) => kind))
  expect(kinds).toEqual(new Set(assetKinds))
})

test('every size of an image has a path', () => {
  const [key, hash] = ['k'.repeat(22), 'a'.repeat(64)]
  for (const size of imageSizes)
    expect(readAssetPath(sizePath(key, hash, size))).toEqual({ mediaKey: key, hash })
})
