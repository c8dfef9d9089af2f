/** Line drawings on a 24 by 24 grid; decoration only, so hidden from screen readers. */
const drawings = {
  overview: 'M4 4h7v7H4z M13 4h7v4h-7z M13 11h7v9h-7z M4 14h7v6H4z',
  key: 'M14.5 9.5a4.5 4.5 0 1 1-1.3-3.2 4.5 4.5 0 0 1 1.3 3.2z M13.4 12.6 20 19.2 M17 16.2l2-2',
  inbox:
    'M4 13l2.6-7.2A1.5 1.5 0 0 1 8 5h8a1.5 1.5 0 0 1 1.4.8L20 13v4.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5z M4 13h4.5l1.5 2.5h4l1.5-2.5H20',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5z M10 20.5h4',
  box: 'M12 3.5 20 8v8l-8 4.5L4 16V8z M4.2 8.2 12 12.5l7.8-4.3 M12 12.5v8',
  people:
    'M12.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z M2.5 19.5c.6-3.4 3.2-5 6.5-5s5.9 1.6 6.5 5 M16 5.3a3.5 3.5 0 0 1 0 6.4 M18 14.9c2 .7 3.2 2.2 3.6 4.6',
  trail: 'M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01',
  tag: 'M4 4h8l8.5 8.5-8 8L4 12z M8 8h.01',
  tree: 'M4 5h7v4H4z M13 10h7v4h-7z M13 16h7v4h-7z M7.5 9v9H13 M7.5 12H13',
  ruler: 'M4 8.5h16v7H4z M7.5 8.5v3 M11 8.5v4 M14.5 8.5v3 M18 8.5v4',
  picture: 'M4 5h16v14H4z M4 16l4.5-4.5 4 4 2.5-2.5 5 4 M15.5 9h.01',
  file: 'M6 4h8l4 4v12H6z M14 4v4h4',
  video: 'M4 6h11v12H4z M15 11l5-3v8l-5-3z',
  filter: 'M4 6h16 M7 12h10 M10 18h4',
  columns: 'M4 5h16v14H4z M9.3 5v14 M14.7 5v14',
  download: 'M12 4v11 M7.5 11 12 15.5 16.5 11 M5 20h14',
  upload: 'M12 20V9 M7.5 13 12 8.5l4.5 4.5 M5 4h14',
  pencil: 'M5 19l1-4L16 5l3 3L9 18z M14 7l3 3',
  keyboard: 'M3 7h18v11H3z M7 11h.01 M12 11h.01 M17 11h.01 M8 15h8',
  up: 'M6 14.5l6-6 6 6',
  down: 'M6 9.5l6 6 6-6',
  person: 'M15.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z M5 20c.6-3.8 3.4-5.5 7-5.5s6.4 1.7 7 5.5',
  lock: 'M6 11h12v9H6z M8.5 11V8a3.5 3.5 0 0 1 7 0v3 M12 14.8v1.8',
  copy: 'M9 9h11v11H9z M15 9V4H4v11h5',
  check: 'M5 12.5 10 17.5 19.5 7',
  cross: 'M6 6l12 12 M18 6 6 18',
  chevrons: 'M8 9.5 12 5.5l4 4 M8 14.5l4 4 4-4',
  chevron: 'M9.5 6l6 6-6 6',
  arrowUp: 'M12 19V5 M6 11l6-6 6 6',
  arrowDown: 'M12 5v14 M6 13l6 6 6-6',
  arrowLeft: 'M19 12H5 M11 6l-6 6 6 6',
  arrowRight: 'M5 12h14 M13 6l6 6-6 6',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  alert: 'M12 4 21 19.5H3z M12 10v4.2 M12 16.9h.01',
  proposal: 'M6 4h8l4 4v12H6z M14 4v4h4 M9.2 12.2h5.6 M12 9.4V15 M9.2 17.4h5.6',
  prompt: 'M5 5h14v11h-7l-4 3.5V16H5z M9 9h6 M9 12h4',
  play: 'M8 5.5v13L18.5 12z',
  chip: 'M7 7h10v10H7z M10 3.5V7 M14 3.5V7 M10 17v3.5 M14 17v3.5 M3.5 10H7 M3.5 14H7 M17 10h3.5 M17 14h3.5',
  plug: 'M9 3.5V8 M15 3.5V8 M7 8h10v3.5a5 5 0 0 1-10 0z M12 16.5v4',
  globe: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0z M4 12h16 M12 4c4 4 4 12 0 16-4-4-4-12 0-16z',
  clock: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0z M12 7.5V12l3 2',
  undo: 'M8.5 5 4.5 9l4 4 M5 9h9a5 5 0 0 1 0 10H9',
  more: 'M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z M20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  plus: 'M12 5v14 M5 12h14',
  sun: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z M12 3v2 M12 19v2 M3 12h2 M19 12h2 M5.6 5.6 7 7 M17 17l1.4 1.4 M18.4 5.6 17 7 M7 17l-1.4 1.4',
  moon: 'M20 14.2A8 8 0 0 1 9.8 4 8 8 0 1 0 20 14.2z',
  system: 'M4 5h16v11H4z M9 20h6 M12 16v4',
  leave: 'M10 5H5v14h5 M14 8l4 4-4 4 M18 12H9.5',
  book: 'M5 5.5A1.5 1.5 0 0 1 6.5 4H19v16H6.5A1.5 1.5 0 0 1 5 18.5z M5 17.5h14 M9 8h6',
  eye: 'M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z M14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z',
  search: 'M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z M15.3 15.3 20 20',
  send: 'M4 12 20 4.5 14.5 20l-3-6.5z M11.5 13.5 20 4.5',
  chart: 'M4 20h16 M7 16v-4 M12 16V6 M17 16v-7',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
