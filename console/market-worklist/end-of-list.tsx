import { Anchor, Button } from '@mantine/core'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { useFollow } from '../product/product-link.tsx'
import type { Market } from '../wire.ts'
import type { Position } from './position.ts'
import { strings } from './strings.ts'

type Props = { position: Position; market: Market; count: number }

/** Shown when all products are completed or skipped. */
export function EndOfList({ position, market, count }: Props) {
  const follow = useFollow()
  const { kind, project, goTo, choose, listUrl } = position
  if (count > 0)
    return (
      <Card label={strings.end.skippedTitle(count)}>
        <Empty
          title={strings.end.skippedTitle(count)}
          action={
            <Button size="xs" onClick={() => goTo(0)}>
              {strings.end.again}
            </Button>
          }
        >
          {strings.end.skippedText} <Anchor {...follow(listUrl)}>{strings.list}</Anchor>
        </Empty>
      </Card>
    )
  const isNothingRequired = kind === 'missing' && market.requires.length === 0
  const text = kind === 'missing' ? strings.end.noneMissing : strings.end.noneOutdated
  return (
    <Card label={strings.end.done}>
      <Empty
        title={strings.end.done}
        action={
          kind === 'missing' ? (
            <Button variant="default" size="xs" onClick={() => choose('outdated')}>
              {strings.end.outdatedToo}
            </Button>
          ) : (
            <Button component="a" {...follow(`/projects/${project}`)} variant="default" size="xs">
              {strings.end.overview}
            </Button>
          )
        }
      >
        {isNothingRequired ? strings.notRequired : text(market.label)}
      </Empty>
    </Card>
  )
}
