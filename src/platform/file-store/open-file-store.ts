import { resolve } from 'node:path'
import { diskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { readS3Address } from './s3-address.ts'
import { s3Store } from './s3-store.ts'

export type FileStorePlace = {
  /** A folder, or an address that starts with `s3://`. */
  place?: string | undefined
  accessKey?: string | undefined
  secretKey?: string | undefined
}

/** The store at a place; undefined without one. */
export function openFileStore({ place, accessKey, secretKey }: FileStorePlace): FileStore | undefined {
  if (place === undefined) return undefined
  if (!place.startsWith('s3:')) return diskStore(readFolder(place))
  if (accessKey === undefined || secretKey === undefined)
    throw new Error('an S3 store needs CATALOG_MEDIA_ACCESS_KEY and CATALOG_MEDIA_SECRET_KEY')
  return s3Store(readS3Address(place), { accessKey, secretKey })
}

/** Rejects a URL, so that a mistyped address of a bucket does not become a folder on this host. */
function readFolder(place: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(place))
    throw new Error('CATALOG_MEDIA must be a folder, or the address of a bucket that starts with s3://')
  return resolve(place)
}
