import { assetLimits } from '../../../src/model/limits/assets.ts'
import { bytesText } from '../format/bytes-text.ts'
import { counted } from '../format/number-text.ts'

export const strings = {
  choose: 'Choose files',
  input: 'Files to upload',
  progress: (name: string) => `Upload of ${name}`,
  cancel: (name: string) => `Cancel the upload of ${name}`,
  dismiss: (name: string) => `Dismiss ${name}`,
  retry: 'Try again',
  failed: (name: string) => `${name}:`,
  uploaded: (count: number) => `${counted(count, 'file')} uploaded.`,
  /** By error code. Other errors have messages for users. */
  errors: {
    unsupported_media_type:
      'This type is not supported. Use JPEG, PNG, WebP, GIF, AVIF, TIFF, PDF, MP4 or WebM.',
    body_too_large: `The file is larger than ${bytesText(assetLimits.bytes)}.`,
    type_mismatch:
      'The content of the file does not match its extension. Save it again with the correct type.',
    too_many_pixels: `The image has more than ${assetLimits.pixels / 1_000_000} megapixels. Reduce its size.`,
    storage_full: 'The storage of this project is full. Delete files that you no longer need.',
    too_busy: 'Too many uploads are in progress. Try again in a minute.',
    media_unavailable: 'The service currently can’t store files. Try again later.',
  } as Record<string, string>,
}
