import { expect } from 'vitest'
import type { Asset } from '../../src/catalog/assets/asset.schema.ts'
import type { Tenant, TestResponse } from '../harness.ts'

/** Uploads bytes, by default as an image. */
export function upload(
  { call }: Pick<Tenant, 'call'>,
  bytes: Uint8Array | string,
  type = 'image/png',
  base = '/v2',
): Promise<TestResponse> {
  return call(`${base}/assets`, { method: 'POST', body: bytes, headers: { 'content-type': type } })
}

/** Uploads a file that must be accepted. */
export async function uploaded(tenant: Pick<Tenant, 'call'>, bytes: Uint8Array | string, type?: string) {
  const response = await upload(tenant, bytes, type)
  expect(response.status, response.text).toBe(201)
  return response.body as Asset
}

/** A file that is recognized as a document, with content of this size. */
export function pdfOf(bytes: number): Buffer {
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.from(crypto.randomUUID()),
    Buffer.alloc(Math.max(0, bytes - 45), 'x'),
  ])
}
