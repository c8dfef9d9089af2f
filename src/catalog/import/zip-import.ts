import { type FileHandle, open } from 'node:fs/promises'
import { extname } from 'node:path'
import { assetId } from '../../model/assets/asset-id.ts'
import { groupBySku, skusInName } from '../../model/files/image-names.ts'
import { readZip, type Zip, type ZippedFile } from '../../model/files/read-zip.ts'
import { withNewImages } from '../../model/product/new-images.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { fileLimits } from '../limits.ts'
import { findMedia } from './images/current-media.sql.ts'
import type { ImportImages } from './images/import-images.ts'
import { fileStats, type ImportFile } from './import-file.ts'
import { findNames } from './product-names.sql.ts'
import { asFileLine, type FileLine } from './rows/file-line.ts'

export function isZip(file: string): boolean {
  return extname(file).toLowerCase() === '.zip'
}

/** The images of a zip file as lines, one per product: `MUG.jpg` and `MUG_2.jpg` become the images of the product MUG. */
export function openZipImport(
  file: string,
  database: Queryable,
  projectId: number,
  images: ImportImages,
): ImportFile {
  let read = 0
  let all = 0
  let number = 0
  const asLine = (product: object, error?: BodyError): FileLine => {
    number += 1
    const line: Line = { number, bytes: Buffer.from(JSON.stringify(product)), spent: [] }
    return asFileLine(error === undefined ? line : { ...line, error })
  }

  async function* batches(): AsyncGenerator<FileLine[]> {
    await using handle = await open(file)
    const { files, ignored } = await readEntries(file, handle)
    if (ignored.length > 0)
      process.stderr.write(
        `${ignored.length} entries in folders or encrypted are ignored, such as ${ignored[0]}\n`,
      )
    all = files.length
    const { bySku, leftOver } = await group(database, projectId, files)
    for (let rest = [...bySku]; rest.length > 0; rest = rest.slice(fileLimits.imageProducts)) {
      const some = rest.slice(0, fileLimits.imageProducts)
      const current = await findMedia(
        database,
        projectId,
        some.map(([sku]) => sku),
      )
      yield await Promise.all(some.map(([sku, own]) => lineOf(sku, own, current.get(sku) ?? [])))
      read += some.flatMap(([, own]) => own).length
    }
    if (leftOver.length > 0)
      yield leftOver.map(({ name }) => asLine({ sku: skusInName(name).at(-1) ?? name }, unknownProduct(name)))
  }

  async function lineOf(sku: string, own: ZippedFile[], current: Parameters<typeof withNewImages>[0]) {
    const added = await Promise.all(own.map(({ name, open }) => images.add(name, () => open())))
    const error = added.find((one) => 'code' in one)
    const assets = added.flatMap((one) => ('hash' in one ? assetId(one.hash) : []))
    return asLine({ sku, media: withNewImages(current, assets) }, error && { ...error, pointer: '/media' })
  }

  return {
    file,
    partRead: () => (all === 0 ? undefined : read / all),
    rejectedHead: () => '',
    batches: batches(),
    tally: undefined,
    close: () => {},
  }
}

function readEntries(file: string, handle: FileHandle): Promise<Zip> {
  const { size } = fileStats(file)
  const read = async (start: number, length: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  }
  return readZip({ size, read }).catch((error) => {
    throw new Error(`${file} is not a valid zip file: ${error.message}`, { cause: error })
  })
}

/** Finds the products of the images. */
async function group(database: Queryable, projectId: number, files: ZippedFile[]) {
  const skus = new Set<string>()
  for (let at = 0; at < files.length; at += fileLimits.imageProducts) {
    const named = files.slice(at, at + fileLimits.imageProducts).flatMap(({ name }) => skusInName(name))
    for (const sku of (await findNames(database, projectId, named)).keys()) skus.add(sku)
  }
  return groupBySku(files, (text) => skus.has(text))
}

function unknownProduct(name: string): BodyError {
  return skusInName(name).length === 0
    ? { pointer: '', code: 'unsupported_media_type', message: `${name} is not the name of an image` }
    : { pointer: '/sku', code: 'not_found', message: `no product has the SKU in the name ${name}` }
}
