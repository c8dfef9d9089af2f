import { write, writeLong } from '../network.ts'
import type { Asset, Inventory, ProductDetail } from '../wire.ts'

/** Longer than the service waits for the other host. */
const fetchSeconds = 60
const pathOf = (project: number, id: number) => `/console/api/projects/${project}/products/${id}`

export const createProduct = (project: number, body: unknown) =>
  write<ProductDetail>('POST', `/console/api/projects/${project}/products`, body)

/** Fails if the product is no longer at this version. */
export const patchProduct = (project: number, id: number, patch: unknown, version: number) =>
  write<ProductDetail>('PATCH', pathOf(project, id), patch, version)

/** Changes values of a language or market, and confirms outdated ones. Fails if the product is no longer at this version. */
export const patchMarket = (
  project: number,
  id: number,
  { market, patch, confirm = [] }: { market: string; patch: unknown; confirm?: readonly string[] },
  version: number,
) =>
  write<ProductDetail>(
    'PATCH',
    `${pathOf(project, id)}?${new URLSearchParams({
      view: market,
      ...(confirm.length > 0 && { confirm: confirm.map(escaped).join(',') }),
    })}`,
    patch,
    version,
  )

/** An attribute name can contain the separator. */
const escaped = (field: string) => field.replace(/[,\\]/g, '\\$&')

export const revertProduct = (
  project: number,
  id: number,
  body: { version: number; fields?: string[] },
  version: number,
) => write<ProductDetail>('POST', `${pathOf(project, id)}/revert`, body, version)

/** The service fetches the file of another host. */
export const fetchAsset = (project: number, url: string) =>
  writeLong<Asset>(`/console/api/projects/${project}/assets/from-url`, { url }, fetchSeconds)

export const adjustStock = (
  project: number,
  id: number,
  body: { delta: unknown; reason: string },
  key?: string,
) => write<Inventory>('POST', `${pathOf(project, id)}/inventory/adjust`, body, undefined, key)
