import { Anchor } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type Props = { project: number; id: number | null; children: ReactNode }

/** Leads to a product; one that nobody has yet is only named. */
export function ProductLink({ project, id, children }: Props) {
  if (id === null) return <>{children}</>
  return (
    <Anchor
      component={Link}
      to="/projects/$projectId/products/$productId"
      params={{ projectId: project, productId: id } as never}
    >
      {children}
    </Anchor>
  )
}

/** Follows an address of the console as it is written, with the query string of another page. */
export function useFollow() {
  const router = useRouter()
  return (href: string) => ({
    href,
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      router.history.push(href)
    },
  })
}
