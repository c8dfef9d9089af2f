import { lazyRouteComponent } from '@tanstack/react-router'
import { readCode } from '../network.ts'

// biome-ignore lint/suspicious/noExplicitAny: a module has exports of every type
export function lazyPage<Code extends Record<string, any>, Name extends keyof Code>(
  load: () => Promise<Code>,
  name: Name,
) {
  return lazyRouteComponent(() => readCode(load), name)
}
