/** Leaves the open editor, which commits its text, and saves afterwards. */
export function commitEditor(save: () => void): void {
  document.activeElement?.closest<HTMLElement>('[role=gridcell]')?.focus()
  setTimeout(save)
}
