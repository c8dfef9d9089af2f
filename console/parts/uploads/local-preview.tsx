import { useEffect, useRef } from 'react'
import { limitConcurrency } from '../concurrency.ts'
import styles from './uploads.module.css'

const edge = 256
/** A decoded photo takes up to 200 MB. */
const inTurn = limitConcurrency(1)

/** The picture in a file that is not uploaded yet. A canvas, because the Content-Security-Policy allows no blob: URLs. */
export function LocalPreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    void inTurn(async () => {
      if (canvas.current === null) return
      try {
        const bitmap = await createImageBitmap(file, { resizeWidth: edge, resizeQuality: 'medium' })
        draw(canvas.current, bitmap)
        bitmap.close()
      } catch {
        // The browser cannot decode it. The service says what is wrong.
      }
    })
  }, [file])
  return <canvas ref={canvas} width={0} height={0} className={styles.preview} />
}

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (canvas === null) return
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
}
