import { strings } from './strings.ts'
import type { Uploads } from './use-uploads.ts'

/** Reports finished uploads to screen readers. */
export function UploadStatus({ uploads: { isRunning, finished } }: { uploads: Uploads }) {
  return (
    <p role="status" className="unseen">
      {isRunning || finished === 0 ? '' : strings.uploaded(finished)}
    </p>
  )
}
