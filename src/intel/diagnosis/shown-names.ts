import type { TokenIdentity } from '../tokens/token-analysis.ts'
import { findFault, hasCommandWord } from '../writer/check-text.ts'

/** One to three words of letters, perhaps with a number: names are no sentences. */
const NAME = /^[A-Za-z]{1,20}\d{0,4}(?:[ '&.-]{1,3}[A-Za-z0-9]{1,20}){0,2}$/
const LONG_NUMBER = /\d{5}/
/** What a name would say of its token, or to its reader. */
const JUDGES =
  /\b(?:safe\w*|risk\w*|ready|verdict|always|never|must|should|verif\w*|trust\w*|legit\w*|no|not|is|are)\b/i
/** As if it were of us, or what we found. */
const RATES =
  /tollbook|\b(?:x402|scor(?:e[sd]?|ing)|rated?|ratings?|rank(?:ed|ing)?|graded?|grades|approv\w*|passed|danger\w*)\b/i

export type ShownNames = {
  name: string | undefined
  symbol: string | undefined
  /** A name that reads like a message instead of a name is left out. */
  isWithheld: boolean
}

/**
 * Names that strangers gave a token, as far as they are plain. Programs read a diagnosis as if it were ours, so what would
 * be refused in a text of ours is refused here, too; both are asked about together, as they are read together.
 */
export function showNames({
  name,
  symbol,
  isWithheld: isGone,
}: Pick<TokenIdentity, 'name' | 'symbol' | 'isWithheld'>): ShownNames {
  const all = [name, symbol].filter((text) => text !== undefined)
  const isWithheld = isGone || !all.every(isName) || findFault(all.join(' ')) !== undefined
  return isWithheld ? { name: undefined, symbol: undefined, isWithheld } : { name, symbol, isWithheld }
}

const isName = (text: string): boolean =>
  NAME.test(text) &&
  !LONG_NUMBER.test(text) &&
  !JUDGES.test(text) &&
  !RATES.test(text) &&
  !hasCommandWord(text) &&
  findFault(text) === undefined
