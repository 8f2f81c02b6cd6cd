export const COINS = ['BTC', 'ETH', 'SOL', 'XRP'] as const
/** The coins that we follow. */
export type Coin = (typeof COINS)[number]

/** For a sentence: `BTC, ETH, SOL and XRP`. */
export function listCoins(coins: readonly Coin[]): string {
  return coins.length < 2 ? coins.join('') : `${coins.slice(0, -1).join(', ')} and ${coins.at(-1)}`
}
export const COINS_LISTED = listCoins(COINS)

const known: ReadonlySet<string> = new Set(COINS)

function isCoin(text: string): text is Coin {
  return known.has(text)
}

/** No other letter: some of other alphabets have S as their upper case. */
const LATIN = /^[A-Za-z]+$/

/** Ignores case; undefined for anything that is not one of our coins. */
export function findCoin(text: string): Coin | undefined {
  const upper = text.toUpperCase()
  return LATIN.test(text) && isCoin(upper) ? upper : undefined
}

export function mapCoins<T>(make: (coin: Coin) => T): Record<Coin, T> {
  return { BTC: make('BTC'), ETH: make('ETH'), SOL: make('SOL'), XRP: make('XRP') }
}
