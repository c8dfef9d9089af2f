import type { Random } from '../../seeded-random.ts'
import type { Shop } from '../open-shop.ts'
import type { Group } from '../readers.ts'

const sharedShare = 0.3
/** One writer per project changes its rules and settings, less often than others write. */
const projectPause = 5

type Options = {
  /** Something of the group has just been written. */
  note: (group: Group) => void
  pause: (factor: number, isOver: () => boolean) => Promise<void>
  kinds: readonly string[] | undefined
}

/** Each writer changes its own family and shared products, and one per project the project. */
export function startWriters(shops: readonly Shop[], chance: Random, { note, pause, kinds }: Options) {
  const counts = new Map<string, number>()
  let isOver = false
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const chosen = <Step>(steps: Record<string, Step>) =>
    Object.entries(steps).filter(([name]) => kinds?.includes(name) ?? true)

  async function write({ shared }: Shop, { steps, group }: Shop['writers'][number]): Promise<void> {
    const own = chosen(steps)
    while (!isOver) {
      if (chance.chance(sharedShare)) {
        count(await shared.write())
        note(shared.group)
      } else {
        const [name, step] = chance.pick(own)
        await step()
        count(name)
        note(group)
      }
      await pause(1, () => isOver)
    }
  }

  /** Each project begins with another change. */
  async function changeProject({ projectSteps }: Shop, first: number): Promise<void> {
    const steps = chosen(projectSteps)
    for (let turn = first; !isOver && steps.length > 0; turn += 1) {
      const [name, step] = steps[turn % steps.length] as (typeof steps)[number]
      await step(turn)
      count(name)
      await pause(projectPause, () => isOver)
    }
  }

  const ended = Promise.all(
    shops.flatMap((shop, place) => [
      changeProject(shop, place),
      ...shop.writers.map((writer) => write(shop, writer)),
    ]),
  )
  return {
    /** The number of writes by kind. */
    counts,
    async stop(): Promise<void> {
      isOver = true
      await ended
    },
  }
}
