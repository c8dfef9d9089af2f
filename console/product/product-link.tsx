import { Anchor } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type Props = { project: number; id: number | null; children: ReactNode }

/** Links to a product, or shows only its text if it does not exist yet. */
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

/** Follows a console URL as is, including the query string of another page. */
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
