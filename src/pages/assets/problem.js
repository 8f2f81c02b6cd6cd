// Reads a reply that is a failure, and says it in words for people.

const TEXT_LIMIT = 300

/** An empty object where the text is no JSON. @param {string} text @returns {any} */
export function parseObject(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * Of a problem (RFC 9457) title, detail and hint, as far as it has them; of wrong params what is wrong with each.
 * Show it with `textContent`: it may quote anybody.
 * @param {number} status @param {any} body
 */
export function problemOf(status, body) {
  const { title, hint } = Object(body)
  const told = [title, detailOf(body)].filter(isText)
  if (told.length === 0) return `The service answered ${status}.`
  const first = sentence(told.join(': ').slice(0, TEXT_LIMIT))
  return isText(hint) ? `${first} ${sentence(hint.slice(0, TEXT_LIMIT))}` : first
}

const isText = (value) => typeof value === 'string' && value !== ''

/** A problem has a sentence, a 422 a list with the place of each mistake. @returns {string | undefined} */
export function detailOf(body) {
  const { detail } = Object(body)
  if (!Array.isArray(detail)) return isText(detail) ? detail : undefined
  return detail
    .map(Object)
    .map(({ loc, msg }) => [Array.isArray(loc) ? loc.slice(1).join('.') : '', msg].filter(isText).join(': '))
    .join('; ')
}

/** Details and hints are written for logs and programs: small letters, no full stop. @param {string} text */
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
