import { MantineProvider } from '@mantine/core'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepFocus } from './parts/keep-focus.ts'
import { theme } from './theme.ts'

/** Renders a page with the theme of the console and the reference. */
export function renderPage(page: ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no element "root"')
  keepFocus()
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        {page}
      </MantineProvider>
    </StrictMode>,
  )
}
