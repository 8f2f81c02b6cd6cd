// Shows what is new on a page that lives, without a reload. Without it the page says what was true when it was loaded.

const EVERY_MS = 30_000
let lastMs = Date.now()

setInterval(() => {
  if (!document.hidden) void refresh()
}, EVERY_MS)

// Who comes back to the page wants to see what is true now.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - lastMs > EVERY_MS) void refresh()
})

async function refresh() {
  lastMs = Date.now()
  const main = document.querySelector('main')
  // What somebody is marking to copy stays until he is done.
  if (!main || isMarking(main)) return
  try {
    const reply = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const found = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('main')
    if (!reply.headers.get('content-type')?.startsWith('text/html') || !found) throw new Error('no page')
    if (reply.status >= 400 && reply.status !== 503) throw new Error('no page')
    replace(main, found)
  } catch {
    tell('The service did not answer. This page shows what it said before, and asks again by itself.')
  }
}

/** @param {Element} main */
function isMarking(main) {
  const marked = getSelection()
  return marked !== null && !marked.isCollapsed && main.contains(marked.anchorNode)
}

/**
 * Keeps what the visitor opened and where he is.
 * @param {Element} main
 * @param {Element} found
 */
function replace(main, found) {
  for (const { id } of main.querySelectorAll('details[open][id]'))
    for (const details of found.querySelectorAll('details')) if (details.id === id) details.open = true
  const focused = main.contains(document.activeElement) ? addressOf(document.activeElement) : undefined
  main.replaceChildren(...found.childNodes)
  if (focused) {
    const again = main.querySelector(focused)
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true })
  }
  document.dispatchEvent(new Event('refreshed'))
}

/**
 * A selector that finds the same element in the next page.
 * @param {Element | null} element
 */
function addressOf(element) {
  if (!element) return undefined
  const { id, tagName, parentElement } = element
  if (id) return `#${CSS.escape(id)}`
  const href = element.getAttribute('href')
  if (href) return `a[href="${CSS.escape(href)}"]`
  const label = element.getAttribute('aria-label')
  if (label) return `[aria-label="${CSS.escape(label)}"]`
  return parentElement?.id ? `#${CSS.escape(parentElement.id)} > ${tagName}` : undefined
}

/** @param {string} words */
function tell(words) {
  const place = document.querySelector('[data-refresh-state]')
  if (place && place.textContent !== words) place.textContent = words
}
