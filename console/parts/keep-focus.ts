/** What screen readers announce as one unit. The nearest one that remains takes the focus of a removed element. */
const containers = 'tr, li, table, fieldset, form, section, nav, main'
/** Dialogs and menus return the focus themselves, shortly after they close. */
const delayMilliseconds = 300

/**
 * Keeps the focus on the page. If an action removes or disables its own button, the focus would be lost, and keyboard users
 * would start at the top again. A button that waits for a response gets the focus back.
 */
export function keepFocus(): void {
  /** What had the focus last, and what is around it, from the inside out. */
  let path: Element[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const restore = () => {
    const [own] = path
    if (own === undefined || !isLost() || isWaiting(own)) return
    const target = isUsable(own) ? own : path.slice(1).find(isContainer)
    if (target !== undefined) focusOn(target)
    else timer = setTimeout(() => isLost() && focusOn(document.getElementById('content')), delayMilliseconds)
  }
  document.addEventListener('focusin', ({ target }) => {
    clearTimeout(timer)
    path = pathOf(target)
  })
  document.addEventListener('focusout', ({ target }) =>
    // Browsers fire this before they remove the element. If the element stays, the user clicked next to it.
    queueMicrotask(() => {
      if (isLost() && target === path[0] && isUsable(target as Element)) path = []
    }),
  )
  new MutationObserver(() => {
    if (path.length > 0 && isLost()) setTimeout(restore)
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'data-loading'],
  })
}

function pathOf(target: EventTarget | null): Element[] {
  const path: Element[] = []
  for (let one = target instanceof Element ? target : null; one !== null; one = one.parentElement)
    if (one !== document.body && one !== document.documentElement) path.push(one)
  return path
}

function isLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null
}

function isWaiting(element: Element): boolean {
  return element.isConnected && element.matches('[data-loading]')
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function isContainer(element: Element): boolean {
  return element.isConnected && element.matches(containers)
}

function focusOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
