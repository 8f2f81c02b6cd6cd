export const ASSETS = ['BTC', 'ETH', 'SOL', 'XRP'] as const
/** The four coins that we follow. */
export type Asset = (typeof ASSETS)[number]

const known: ReadonlySet<string> = new Set(ASSETS)

function isAsset(text: string): text is Asset {
  return known.has(text)
}

/** `btc`, `BTC` and `Btc` are one coin; anything else is none of ours. */
export function findAsset(text: string): Asset | undefined {
  const upper = text.toUpperCase()
  return isAsset(upper) ? upper : undefined
}

export function perAsset<T>(make: (asset: Asset) => T): Record<Asset, T> {
  return { BTC: make('BTC'), ETH: make('ETH'), SOL: make('SOL'), XRP: make('XRP') }
}
