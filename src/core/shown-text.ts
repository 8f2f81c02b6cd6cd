/** Control and format characters, line separators and what turns the direction of writing: none belongs into a title. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu
const SPACES = /\s+/g

/** A text that others wrote, fit to be shown: on one line and at most `limit` characters long. */
export function shownText(text: string, limit: number): string {
  // Before the patterns look at it: they must not take minutes for what is cut off anyway.
  const part = text.slice(0, limit * 4).toWellFormed()
  const shown = part.replace(UNSEEN, ' ').replace(SPACES, ' ').trim()
  const characters = Array.from(shown)
  return characters.length <= limit
    ? shown
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
