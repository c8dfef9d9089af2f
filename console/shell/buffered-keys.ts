/**
 * Keeps what somebody types between the key of the palette and its field, whose code may still have to come: it would be lost, or
 * act on the page as keys of its own. Answers with a function that ends this and tells what was typed.
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
