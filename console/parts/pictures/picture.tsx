import { useEffect, useState } from 'react'
import type { ImageSize } from '../../../src/model/assets/asset-urls.ts'
import { Icon, type IconName } from '../icons.tsx'
import styles from './picture.module.css'
import { type StoredFile, usePictureAddress } from './picture-source.ts'

/** Edge in pixels, and the sizes that the browser chooses from. A tile is as wide as its container. */
const forms = {
  mark: { edge: 24, sizes: [64, 256] },
  row: { edge: 36, sizes: [64, 256] },
  line: { edge: 56, sizes: [64, 256] },
  tile: { edge: 200, sizes: [256, 1024] },
  large: { edge: 420, sizes: [1024, 2048] },
} as const satisfies Record<string, { edge: number; sizes: readonly ImageSize[] }>

type Props = {
  file: StoredFile | undefined
  form: keyof typeof forms
  /** Empty if text next to the picture names the product. */
  alt?: string
  /** Shown if there is no picture. */
  icon?: IconName
}

/** A picture in a box whose size does not depend on it. Without a picture, a calm placeholder. */
export function Picture({ file, form, alt = '', icon = 'picture' }: Props) {
  const address = usePictureAddress(file)
  const { edge, sizes } = forms[form]
  return (
    <span className={styles.box} data-form={form}>
      {address === undefined ? (
        <Icon name={icon} size={Math.round(Math.min(edge, 56) * 0.45)} />
      ) : (
        <Loading
          key={address(sizes[0])}
          alt={alt}
          src={address(sizes[0])}
          srcSet={sizes.map((size) => `${address(size)} ${size}w`).join(', ')}
          sizes={`${edge}px`}
        />
      )}
    </span>
  )
}

/** The service needs seconds to make the sizes of a new image. After the last delay, the placeholder stays. */
const retryDelaySeconds = [1, 2, 4, 8, 15]

type LoadingProps = { alt: string; src: string; srcSet: string; sizes: string }

function Loading({ alt, ...image }: LoadingProps) {
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(-1)
  const isFailed = failed === attempt
  useEffect(() => {
    const delay = retryDelaySeconds[attempt]
    if (!isFailed || delay === undefined) return
    const timer = setTimeout(() => setAttempt(attempt + 1), delay * 1_000)
    return () => clearTimeout(timer)
  }, [isFailed, attempt])
  if (isFailed) return <Icon name="picture" size={16} />
  return (
    <img
      key={attempt}
      {...image}
      alt={alt}
      draggable={false}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(attempt)}
    />
  )
}
