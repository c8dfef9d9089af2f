import { assetId } from '../../model/assets/asset-id.ts'
import type { MediaItem } from '../../model/fields/media.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { FileFetcher } from '../../platform/outbound/fetch-file.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { fetchAsset } from '../assets/fetch-asset.ts'
import { fileLimits } from '../limits.ts'
import { pushProducts } from '../push/push-products.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { listExternalMedia, listMedia, type MediaProduct } from './external-media.sql.ts'

export type FetchedMedia = { products: number; files: number; failed: number }

type FetchMedia = {
  database: Database
  fetcher: FileFetcher
  store: FileStore
  projectId: number
  /** Receives each URL that could not be fetched, and the reason. */
  onFailure?: (url: string, reason: string) => void
  onProgress?: (files: number) => void
}

/**
 * Stores the files to which products refer on other servers, and makes products show the stored files. You can repeat it: products
 * that already show stored files are not read again. The history still has the old URLs.
 */
export async function fetchMedia(given: FetchMedia): Promise<FetchedMedia> {
  const { database, projectId } = given
  const total = { products: 0, files: 0, failed: 0 }
  let afterId = 0
  for (;;) {
    const products = await listExternalMedia(database, projectId, afterId)
    if (products.length === 0) return total
    const assets = await fetchAll(given, products, total)
    total.products += await showAssets(database, projectId, products, assets)
    afterId = products.at(-1)?.id ?? afterId
  }
}

/** The IDs of the stored files by URL. */
async function fetchAll(
  { database, fetcher, store, projectId, onFailure, onProgress }: FetchMedia,
  products: readonly MediaProduct[],
  total: FetchedMedia,
): Promise<Map<string, string>> {
  const urls = new Set(products.flatMap(({ media }) => media.map(({ url }) => url).filter(isExternal)))
  const turns = limitConcurrency({ most: fileLimits.fetchesAtOnce, maxWaitSeconds: 0, maxWaiting: urls.size })
  const assets = new Map<string, string>()
  const fetchOne = async (url: string) => {
    try {
      const { asset } = await fetchAsset({ database, fetcher }, store, projectId, url)
      assets.set(url, assetId(asset.hash))
      total.files += 1
      onProgress?.(total.files)
    } catch (error) {
      // No space or no store: every other file would fail too.
      if (!(error instanceof Problem) || error.problemCode === 'storage_full') throw error
      total.failed += 1
      onFailure?.(url, error.message)
    }
  }
  await Promise.all([...urls].map((url) => turns.run(() => fetchOne(url))))
  return assets
}

function isExternal(url: string): boolean {
  return url.startsWith('https:')
}

/** Reads the products again, because fetching takes time and their media may have changed. Returns how many changed. */
async function showAssets(
  database: Database,
  projectId: number,
  products: readonly MediaProduct[],
  assets: ReadonlyMap<string, string>,
): Promise<number> {
  const current = await listMedia(
    database,
    projectId,
    products.map(({ id }) => id),
  )
  const changed = current.filter(({ media }) => media.some(({ url }) => assets.has(url)))
  const lines = changed.map(({ sku, media }, index) => ({
    number: index + 1,
    bytes: Buffer.from(JSON.stringify({ sku, media: media.map((item) => withAsset(item, assets)) })),
    spent: [],
  }))
  const push = {
    projectId,
    author: { actor: 'catalog media fetch', source: 'cli' },
    ruleset: await currentRuleset(database, projectId),
    mode: 'update',
  } as const
  let updated = 0
  await pushProducts(database, push, lines, {
    begin: () => {
      updated = 0
    },
    add: (results) => {
      updated += results.filter(({ outcome }) => outcome === 'updated').length
    },
  })
  return updated
}

function withAsset({ url, ...item }: MediaItem, assets: ReadonlyMap<string, string>): object {
  const asset = assets.get(url)
  return asset === undefined ? { url, ...item } : { asset, ...item }
}
