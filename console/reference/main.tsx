import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { show } from '../look.tsx'
import { referenceQuery } from '../queries.ts'
import { ReferencePage } from './reference-page.tsx'

const queries = new QueryClient()
// The document is asked for while the page is made, not after.
void queries.prefetchQuery(referenceQuery)

show(
  <QueryClientProvider client={queries}>
    <ReferencePage />
  </QueryClientProvider>,
)
