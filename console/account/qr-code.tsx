import { generate } from 'lean-qr'
import { useMemo } from 'react'
import styles from './security.module.css'

/** Drawn in the browser: the secret in it never leaves the page. Always dark on white, so that cameras can read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => draw(text), [text])
  return (
    <svg role="img" aria-label={label} viewBox={`-3 -3 ${size + 6} ${size + 6}`} className={styles.qr}>
      <rect x={-3} y={-3} width={size + 6} height={size + 6} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

function draw(text: string): { path: string; size: number } {
  const code = generate(text)
  let path = ''
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`
  return { path, size: code.size }
}
