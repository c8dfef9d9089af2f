import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type Props = {
  project: number
  filter: Record<string, string>
  className?: string | undefined
  children: ReactNode
}

/** To the list of products, with a filter in the words of the API. */
export function ProductsLink({ project, filter, className, children }: Props) {
  const router = useRouter()
  const address = `/projects/${project}/products?${new URLSearchParams(filter)}`
  const follow = (event: MouseEvent) => {
    // Another tab or window is the browser's own affair.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(address)
  }
  return (
    <a href={address} onClick={follow} className={className}>
      {children}
    </a>
  )
}
