// Runs on every page. Without it pages can be read and followed; it adds what needs the visitor's browser.
import { button, element } from './element.js'

// Examples name the service by its own address; the visitor may have come by another one, and that one works for him.
const { own } = document.documentElement.dataset
if (own) {
  const { origin } = new URL(own)
  if (origin !== location.origin)
    for (const code of document.querySelectorAll('pre code'))
      code.textContent = code.textContent.replaceAll(origin, location.origin)
}

for (const block of document.querySelectorAll('pre[data-copy]')) addCopyButton(block)

/** @param {() => string} textOf what is copied, where more than the block shows */
export function addCopyButton(block, textOf = () => block.textContent) {
  const copy = button('Copy', press, { class: 'copy' })
  async function press() {
    copy.textContent = (await isCopied(block, textOf())) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 2000)
  }
  const around = element('div', { class: 'copyable' })
  block.replaceWith(around)
  around.append(block, copy)
}

// Pages without TLS have no clipboard: the text is selected, and the keyboard copies it.
async function isCopied(block, text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection().selectAllChildren(block)
    return document.execCommand('copy')
  }
}
