import { shownText } from '../../core/shown-text.ts'
import { CAUSE_MAX_CHARS } from '../../ledger/ports/uptime-book.ts'

const ADDRESS = 'an address'
/** In this order: what is longer first, so that no part of it is left over. */
const HIDDEN: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, ADDRESS],
  [/\b(?:bearer|basic)\s+\S+/gi, 'a credential'],
  [/\b[\w-]{0,40}(?:key|token|secret|passw(?:or)?d|signature)["']?\s?[=:]\s?\S+/gi, 'a credential'],
  [/(?<![\w/])~?\.{0,2}\/[^\s'"`,;)]+/g, 'a file'],
  [/\[[0-9a-f:.]{2,45}\](?::\d+)?/gi, ADDRESS],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?(?![\w:])/gi, ADDRESS],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, ADDRESS],
  [/\b(?:[a-z0-9_-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}(?::\d+)?(?:\/\S*)?/gi, ADDRESS],
  [/\b[a-z][a-z0-9_-]{0,62}:\d{2,5}\b/gi, ADDRESS],
  [/[\w+/=-]{24,}/g, '…'],
]
/** Longer texts are cut before anything looks at them. */
const READ_CHARS = 1_000

/** Why a part is not well, for everybody and for good: without addresses, files and whatever may be a credential. */
export function plainCause(text: string): string {
  const hidden = HIDDEN.reduce(
    (left, [pattern, words]) => left.replace(pattern, words),
    text.slice(0, READ_CHARS).toWellFormed(),
  )
  // It counts characters, of which some are two units long.
  return shownText(hidden, CAUSE_MAX_CHARS / 2)
}
