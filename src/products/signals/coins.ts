import { z } from 'zod'
import { COINS, COINS_LISTED, type Coin, findCoin } from '../../core/coin.ts'

/** ASCII only: other alphabets have letters whose upper case is S or K. */
const LETTERS = /^[A-Za-z, ]+$/
/** Longer than any list of the four coins with spaces around them. */
const COINS_TEXT_LIMIT = 64
const EXPECTED = `must be coins out of ${COINS.join(', ')} with commas between them`

const COIN_NAMES = COINS.map((coin) => coin.toLowerCase())

/** `eth` or `ETH`. */
export const OneCoin = z
  .string()
  .transform((text, context): Coin => {
    const coin = findCoin(text)
    if (coin) return coin
    context.issues.push({ code: 'invalid_value', values: COIN_NAMES, input: text })
    return z.NEVER
  })
  .meta({ enum: COIN_NAMES, description: `${COINS_LISTED}, in any case` })

/** `btc, ETH` as coins, each once and in our order, so that one set of coins is one reply. */
export const Coins = z
  .string()
  .max(COINS_TEXT_LIMIT)
  .regex(LETTERS, EXPECTED)
  .transform((text, context): readonly Coin[] => {
    const names = text.split(',').map((name) => name.trim())
    const unknown = names.find((name) => !findCoin(name))
    if (unknown !== undefined) {
      context.issues.push({ code: 'custom', message: EXPECTED, input: text })
      return z.NEVER
    }
    const asked = new Set(names.map(findCoin))
    return COINS.filter((coin) => asked.has(coin))
  })
  .optional()
  .describe('Coins with commas between them, such as btc,eth; all four when left out')
