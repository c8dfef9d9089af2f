import { createContext, useContext } from 'react'
import { type ImageSize, readAssetPath, sizePath } from '../../../src/model/assets/asset-urls.ts'
import type { MediaItem, SessionProject } from '../../wire.ts'

/** The project whose pictures the page shows; undefined outside of projects. */
export const PictureSource = createContext<SessionProject | undefined>(undefined)

/** An uploaded file. Any other URL has no asset. */
export type StoredFile = Pick<MediaItem, 'url' | 'asset'>

/** The first uploaded image of a product. Lists show no external images, which can be large and slow. */
export function firstPicture(media: readonly MediaItem[]): MediaItem | undefined {
  return media.find(({ kind, asset }) => kind === 'image' && asset !== undefined)
}

/** The address of an image in a size; undefined for a file of another host. */
export function usePictureAddress(file: StoredFile | undefined): ((size: ImageSize) => string) | undefined {
  const project = useContext(PictureSource)
  if (file?.asset === undefined || project === undefined) return undefined
  const { asset, url } = file
  if (!project.public_media)
    return (size) => `/console/api/projects/${project.id}/assets/${asset}/content?width=${size}`
  // On this page's origin: the service can have several hosts, and the Content-Security-Policy allows only its own.
  const found = readAssetPath(URL.parse(url, location.origin)?.pathname ?? '')
  return found && ((size) => sizePath(found.mediaKey, found.hash, size))
}
