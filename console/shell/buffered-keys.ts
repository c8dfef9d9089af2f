/**
 * Buffers what the user types between the palette shortcut and its input, whose code may still be loading. Otherwise the keys
 * would be lost, or trigger shortcuts of the page. Returns a function that ends this and returns the typed text.
 */
export function bufferKeys(): () => string {
  let text = ''
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.length === 1) text += event.key
    else if (event.key === 'Backspace') text = text.slice(0, -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('keydown', press, true)
  return () => {
    window.removeEventListener('keydown', press, true)
    return text
  }
}
