import { expect, test } from 'vitest'
import { assetId, hashOfAssetId } from './asset-id.ts'
import {
  assetPath,
  originalFile,
  readAssetPath,
  readAssetUrl,
  sizeFile,
  thumbnailPaths,
} from './asset-urls.ts'

const key = 'abcdefghijklmnopqrst-_'
const hash = '0123456789abcdef'.repeat(4)

test('the paths of an asset derive from the key of its project, its hash and its kind', () => {
  expect(assetPath(key, hash, 'image')).toBe(`/media/${key}/${hash}/2048.webp`)
  expect(assetPath(key, hash, 'document')).toBe(`/media/${key}/${hash}/original`)
  expect(thumbnailPaths(key, hash, 'image')?.[64]).toBe(`/media/${key}/${hash}/64.webp`)
  expect(thumbnailPaths(key, hash, 'video')).toBeNull()
})

test('every path of an asset is read back, and no other path is', () => {
  const paths = [
    assetPath(key, hash, 'video'),
    assetPath(key, hash, 'image'),
    ...Object.values(thumbnailPaths(key, hash, 'image') ?? {}),
  ]
  for (const path of paths) expect(readAssetPath(path)).toEqual({ mediaKey: key, hash })
  const others = [
    `/media/${key}/${hash}/65.webp`,
    `/media/${key}/${hash}`,
    `/media/${key}/../${hash}/original`,
    `/media/${key}/${hash.toUpperCase()}/original`,
    `/media/${key.slice(1)}/${hash}/original`,
    `${assetPath(key, hash, 'image')}?v=1`,
  ]
  expect(others.map(readAssetPath)).toEqual(others.map(() => undefined))
})

test('an asset id contains its hash', () => {
  expect(hashOfAssetId(assetId(hash))).toBe(hash)
  expect([hash, `sha256:${hash}0`, `sha256:${hash.toUpperCase()}`, 'sha256:'].map(hashOfAssetId)).toEqual(
    Array(4).fill(undefined),
  )
})

test('files of one project share no folder with files of another, and each upload has its own name', () => {
  expect(originalFile(7, hash, 'ff')).toBe(`7/01/23/${hash}.ff`)
  expect(sizeFile(7, hash, 'ff', 256)).toBe(`7/01/23/${hash}.ff.256.webp`)
})

test('the URL of an asset is read on any host, but not with other parts', () => {
  const path = assetPath(key, hash, 'image')
  const hosts = ['', 'https://cdn.example', 'http://127.0.0.1:8080', 'https://[::1]:8443']
  for (const host of hosts) expect(readAssetUrl(host + path)).toEqual({ mediaKey: key, hash })
  const others = [
    'https://user@cdn.example',
    'https://cdn.example/files',
    'ftp://cdn.example',
    '//cdn.example',
  ]
  expect(others.map((host) => readAssetUrl(host + path))).toEqual(others.map(() => undefined))
})
