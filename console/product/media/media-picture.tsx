import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Icon, type IconName } from '../../parts/icons.tsx'
import picture from '../../parts/pictures/picture.module.css'
import { Picture } from '../../parts/pictures/picture.tsx'
import type { MediaItem } from '../../wire.ts'
import { strings } from '../strings.ts'

const pauseMilliseconds = 600
const icons: Record<MediaItem['kind'], IconName> = { image: 'picture', document: 'file', video: 'video' }

/** An uploaded image, or the image at a URL, requested without a referrer. An icon for other kinds. */
export function MediaPicture({ item, alt = '' }: { item: MediaItem; alt?: string }) {
  const { url, kind, asset } = item
  if (asset !== undefined)
    return <Picture file={kind === 'image' ? item : undefined} form="tile" alt={alt} icon={icons[kind]} />
  return <ExternalPicture url={url} alt={alt} icon={icons[kind]} isImage={kind === 'image'} />
}

type Props = { url: string; alt: string; icon: IconName; isImage: boolean }

function ExternalPicture({ url, alt, icon, isImage }: Props) {
  const [wanted] = useDebouncedValue(url, pauseMilliseconds)
  const [broken, setBroken] = useState<string>()
  const isShown = isImage && isHttps(wanted) && broken !== wanted
  return (
    <span
      className={picture.box}
      data-form="tile"
      title={broken === wanted ? strings.media.broken : undefined}
    >
      {isShown ? (
        <img
          src={wanted}
          alt={alt}
          draggable={false}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(wanted)}
        />
      ) : (
        <Icon name={icon} size={25} />
      )}
    </span>
  )
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && address.startsWith('https://')
}
