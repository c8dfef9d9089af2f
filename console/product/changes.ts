import { write } from '../network.ts'
import type { Inventory, ProductDetail } from '../wire.ts'

const pathOf = (project: number, id: number) => `/console/api/projects/${project}/products/${id}`

export const createProduct = (project: number, body: unknown) =>
  write<ProductDetail>('POST', `/console/api/projects/${project}/products`, body)

/** Fails if the product is no longer at this version. */
export const patchProduct = (project: number, id: number, patch: unknown, version: number) =>
  write<ProductDetail>('PATCH', pathOf(project, id), patch, version)

export const revertProduct = (
  project: number,
  id: number,
  body: { version: number; fields?: string[] },
  version: number,
) => write<ProductDetail>('POST', `${pathOf(project, id)}/revert`, body, version)

export const adjustStock = (project: number, id: number, body: { delta: unknown; reason: string }) =>
  write<Inventory>('POST', `${pathOf(project, id)}/inventory/adjust`, body)
