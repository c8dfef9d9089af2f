import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import type { MediaItem } from '../../wire.ts'
import { strings } from '../strings.ts'
import rows from './rows.module.css'

const pauseMilliseconds = 600

/** The image at the URL, requested without a referrer, or an icon if it cannot be loaded. */
export function MediaPicture({ item: { url, kind } }: { item: MediaItem }) {
  const [wanted] = useDebouncedValue(url, pauseMilliseconds)
  const [broken, setBroken] = useState<string>()
  const isShown = kind === 'image' && isPicture(wanted) && broken !== wanted
  return (
    <div className={rows.picture} title={broken === wanted ? strings.media.broken : undefined}>
      {isShown ? (
        <img
          src={wanted}
          // The field next to the image describes it.
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(wanted)}
        />
      ) : (
        <Icon name={kind === 'document' ? 'book' : kind === 'video' ? 'send' : 'picture'} size={22} />
      )}
    </div>
  )
}

function isPicture(address: string): boolean {
  return URL.canParse(address) && address.startsWith('https://')
}
