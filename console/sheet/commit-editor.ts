/** Leaves the open editor, which commits its text. */
export function leaveEditor(): void {
  document.activeElement?.closest<HTMLElement>('[role=gridcell]')?.focus()
}

/** Commits the text of the open editor, and saves afterwards. */
export function commitEditor(save: () => void): void {
  leaveEditor()
  setTimeout(save)
}
