export const COINS = ['BTC', 'ETH', 'SOL', 'XRP'] as const
/** The four coins that we follow. */
export type Coin = (typeof COINS)[number]

const known: ReadonlySet<string> = new Set(COINS)

function isCoin(text: string): text is Coin {
  return known.has(text)
}

/** `btc`, `BTC` and `Btc` are one coin; anything else is none of ours. */
export function findCoin(text: string): Coin | undefined {
  const upper = text.toUpperCase()
  return isCoin(upper) ? upper : undefined
}

export function mapCoins<T>(make: (coin: Coin) => T): Record<Coin, T> {
  return { BTC: make('BTC'), ETH: make('ETH'), SOL: make('SOL'), XRP: make('XRP') }
}
