// First, so that the rules of our components override Mantine's.
import '../styles/all.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { referenceQuery } from '../queries.ts'
import { renderPage } from '../theme-provider.tsx'
import { ReferencePage } from './reference-page.tsx'

const queries = new QueryClient()
// Starts the request before the page is rendered.
void queries.prefetchQuery(referenceQuery)

renderPage(
  <QueryClientProvider client={queries}>
    <ReferencePage />
  </QueryClientProvider>,
)
