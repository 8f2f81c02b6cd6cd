// Makes elements. Everything from outside becomes text, never markup.

/** @typedef {Node | string | number | null | undefined} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string>} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== null && child !== undefined).map(toNode))
  return made
}

const toNode = (child) => (child instanceof Node ? child : String(child))

/** @param {string} words @param {() => void} press @param {Record<string, string>} [attributes] */
export function button(words, press, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, words)
  made.addEventListener('click', press)
  return made
}
