import { groupBySku, skusInName } from '../../../src/model/files/image-names.ts'
import { readZip, type ZippedFile } from '../../../src/model/files/read-zip.ts'
import type { ProductDetail } from '../../wire.ts'
import { productsBySku } from '../changes.ts'
import { FileError } from '../file/file-text.ts'
import { strings } from '../strings.ts'

export type ImagesOfProduct = Pick<ProductDetail, 'sku' | 'name' | 'media'> & { images: ZippedFile[] }

export type ZipImages = {
  products: ImagesOfProduct[]
  imageCount: number
  /** Names of files that are not images, or whose name contains no SKU of the project. */
  leftOver: string[]
  /** Names of encrypted files, and of files in folders. */
  ignored: string[]
}

/** SKUs per request, so that the URL stays short. */
const skusPerRequest = 40

/** The images in a zip file, grouped by the product that their name identifies. */
export async function readImages(project: number, file: File, signal: AbortSignal): Promise<ZipImages> {
  const { files, ignored } = await entriesOf(file)
  const skus = [...new Set(files.flatMap(({ name }) => skusInName(name)))]
  const known = new Map<string, Omit<ImagesOfProduct, 'images'>>()
  for (let at = 0; at < skus.length; at += skusPerRequest)
    for (const { sku, name, media } of await productsBySku(
      project,
      skus.slice(at, at + skusPerRequest),
      signal,
    ))
      known.set(sku, { sku, name, media })
  const { bySku, leftOver } = groupBySku(files, (text) => known.has(text))
  const products = [...bySku].flatMap(([sku, images]) => {
    const product = known.get(sku)
    return product === undefined ? [] : [{ ...product, images }]
  })
  return {
    products,
    imageCount: products.reduce((sum, { images }) => sum + images.length, 0),
    leftOver: leftOver.map(({ name }) => name),
    ignored,
  }
}

/** Reads the file in parts, because it can be larger than the memory of the tab. */
async function entriesOf(file: File) {
  const read = async (start: number, length: number) =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer())
  const zip = await readZip({ size: file.size, read }).catch((error: Error) => {
    throw new FileError(strings.zip.unreadable(error.message))
  })
  if (zip.files.length === 0) throw new FileError(strings.zip.noImages)
  return zip
}
