import type { ImageLimits } from '../limits/images.ts'
import type { DecodedType } from './detect-type.ts'
import type { Dimensions } from './dimensions.ts'

/** One image for the process that decodes images. */
export type ImageRequest = {
  input: string
  type: DecodedType
  /** An existing folder for the files. */
  folder: string
  /** The longer sides of the thumbnails. */
  sizes: readonly number[]
  maxPixels: number
  limits: ImageLimits
}

/** The dimensions of an image as it is displayed, and its thumbnails. */
type Thumbnails = Dimensions & { files: Thumbnail[] }
export type Thumbnail = Dimensions & { size: number; path: string; bytes: number }

/** The first two are final. An image that failed for one of the others can succeed in the next attempt. */
export type ImageFailure =
  | 'unreadable'
  | 'too_many_pixels'
  | 'too_slow'
  | 'too_much_memory'
  | 'crashed'
  | 'unavailable'

export type ImageResult = ({ outcome: 'made' } & Thumbnails) | { outcome: 'failed'; reason: ImageFailure }
/** What the process sends: once that it has started, then one result per request. */
export type ImageMessage = 'started' | ImageResult
