import { type ReactNode, useCallback, useState } from 'react'

type Announcer = { announce: (text: string) => void; region: ReactNode }

/** Reports to screen readers what a change looks like on the screen. */
export function useAnnouncer(): Announcer {
  const [said, setSaid] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setSaid(({ count }) => ({ text, count: count + 1 })), [])
  const region = (
    <p role="status" className="unseen">
      {/* A new element, because the same text would not be read twice. */}
      <span key={said.count}>{said.text}</span>
    </p>
  )
  return { announce, region }
}
