import { TOKEN_MARK } from './draft.ts'
import { capital } from './in-words.ts'

/** Letters, and a number of at most two digits among them: too little for a sentence, a link or a promise. */
const PLAIN_SYMBOL = /^(?=.{2,10}$)[A-Za-z]+\d{0,2}[A-Za-z]*$/
/** Symbols that read as a wish or a promise. */
const WISH = /buy|sell|send|claim|click|visit|ape|free|safe|moon|100|audit|official|ignore|system|http|www/i
const NAMELESS = 'this token'

/** Puts the token's name where its mark stands: its symbol where that is a plain one, else no name at all. */
export function fillName(text: string, symbol: string | undefined): string {
  const name = symbol !== undefined && isPlainSymbol(symbol) ? symbol : undefined
  return text
    .split(TOKEN_MARK)
    .reduce((before, after) => before + (name ?? (isStart(before) ? capital(NAMELESS) : NAMELESS)) + after)
}

const isPlainSymbol = (symbol: string): boolean => PLAIN_SYMBOL.test(symbol) && !WISH.test(symbol)

const isStart = (before: string): boolean => before === '' || /[.!?\n]\s*$/.test(before)
