import { useNavigate, useSearch } from '@tanstack/react-router'
import { MarketSwitch } from '../markets/market-switch.tsx'

const route = '/signed-in/projects/$projectId/products/$productId'

/** The language or market of the product page, stored in the URL. */
export function ProductMarketSwitch() {
  const { market } = useSearch({ from: route })
  const navigate = useNavigate({ from: '/projects/$projectId/products/$productId' })
  return (
    <MarketSwitch
      value={market}
      choose={(next) =>
        void navigate({
          search: ({ market: _before, ...search }) =>
            next === undefined ? search : { ...search, market: next },
          resetScroll: false,
        })
      }
    />
  )
}
