import { cleanText, looksLikeInstructions } from '../hostile-text.ts'

const NAME_CHARS = 64
const SYMBOL_CHARS = 24
/** Zero-width signs and what turns the direction of writing: left out, so that nothing hides between letters. */
const FORMAT_SIGNS = /\p{Cf}+/gu
/** Longer than any name that is shown, so that the patterns have little to look at. */
const READ_CHARS = 512

/** What a token calls itself, fit to be shown; undefined where nothing can be seen of it. */
export type ShownName = {
  name: string | undefined
  symbol: string | undefined
  /** It speaks to the model that reads it, or hides something from people: both are then left out. */
  isWithheld: boolean
}

export function shownName(given: { name: string | undefined; symbol: string | undefined }): ShownName {
  const [name, symbol] = [given.name ?? '', given.symbol ?? ''].map((text) =>
    text.slice(0, READ_CHARS).toWellFormed(),
  )
  const isWithheld = looksLikeInstructions(`${name}\n${symbol}`)
  if (isWithheld) return { name: undefined, symbol: undefined, isWithheld }
  return { name: shown(name, NAME_CHARS), symbol: shown(symbol, SYMBOL_CHARS), isWithheld }
}

const shown = (text: string | undefined, limit: number): string | undefined =>
  cleanText((text ?? '').replace(FORMAT_SIGNS, ''), limit) || undefined
