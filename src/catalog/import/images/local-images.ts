import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { assetId } from '../../../model/assets/asset-id.ts'
import type { MediaInputItem } from '../../../model/fields/media.schema.ts'
import type { BodyError } from '../../../platform/http/problems.ts'
import { localPrefix } from '../rows/cells.ts'
import type { FileLine } from '../rows/file-line.ts'
import type { ImportImages } from './import-images.ts'

const mark = Buffer.from(`"${localPrefix}`)

/** The folder with the images of a file: the one that the operator names, or `images` next to the file. */
export function imageFolder(file: string, { mediaBase }: { mediaBase?: string }): string {
  if (mediaBase !== undefined && !mediaBase.startsWith('https:')) return mediaBase
  return join(file === '-' ? '.' : dirname(file), localPrefix)
}

type LocalLine = { media?: unknown }

/** Uploads the local images that lines name, and replaces their paths by asset IDs. */
export async function attachImages(
  lines: FileLine[],
  folder: string,
  images: ImportImages,
): Promise<FileLine[]> {
  return Promise.all(lines.map((line) => attachToLine(line, folder, images)))
}

async function attachToLine(line: FileLine, folder: string, images: ImportImages): Promise<FileLine> {
  const { bytes } = line.line
  if (bytes === undefined || !bytes.includes(mark)) return line
  const product = parsed(bytes)
  if (!Array.isArray(product?.media)) return line
  const media = await Promise.all(product.media.map((item) => attachItem(item, folder, images)))
  const index = media.findIndex((item) => 'error' in item)
  if (index === -1)
    return { ...line, line: { ...line.line, bytes: Buffer.from(JSON.stringify({ ...product, media })) } }
  const { error } = media[index] as { error: BodyError }
  return { ...line, line: { ...line.line, error: { ...error, pointer: `/media/${index}/url` } } }
}

/** A line that is not valid JSON is rejected later, like any other. */
function parsed(bytes: Buffer): LocalLine | undefined {
  try {
    return JSON.parse(String(bytes))
  } catch {
    return undefined
  }
}

async function attachItem(
  item: MediaInputItem,
  folder: string,
  images: ImportImages,
): Promise<object | { error: BodyError }> {
  const { url, ...rest } = item ?? {}
  if (typeof url !== 'string' || !url.startsWith(localPrefix)) return item
  const path = await findLocal(folder, url.slice(localPrefix.length))
  if (path === undefined)
    return { error: { pointer: '', code: 'not_found', message: `${url} does not exist in ${folder}` } }
  const added = await images.add(url, () => createReadStream(path))
  return 'hash' in added ? { ...rest, asset: assetId(added.hash) } : { error: added }
}

/** A file below the folder. A link that leads elsewhere counts as missing. */
async function findLocal(folder: string, path: string): Promise<string | undefined> {
  try {
    const [root, found] = [await realpath(folder), await realpath(join(folder, path))]
    return found.startsWith(root + sep) && (await stat(found)).isFile() ? found : undefined
  } catch {
    return undefined
  }
}
