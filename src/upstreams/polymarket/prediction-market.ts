/** A market as the venue lists it. Undefined means that the venue does not say; that is not zero. */
export type PredictionMarket = {
  id: string
  slug: string
  question: string
  conditionId: string
  event: { slug: string; title: string }
  /** Slug of the venue's tag that names the subject: `crypto`, `politics`, `sports`, `weather`, …; `other` where none does. */
  category: string
  tags: readonly string[]
  outcomes: readonly { label: string; tokenId: string | undefined; price: number | undefined }[]
  active: boolean
  closed: boolean
  acceptingOrders: boolean | undefined
  endsAtMs: number | undefined
  startsAtMs: number | undefined
  /** From when on it could be traded. */
  listedAtMs: number | undefined
  volume24hUsd: number | undefined
  volume1wkUsd: number | undefined
  volumeUsd: number | undefined
  liquidityUsd: number | undefined
  bestBid: number | undefined
  bestAsk: number | undefined
  lastTradePrice: number | undefined
  /** In price, as the venue counts it: 0.05 is five cents. */
  priceChange1h: number | undefined
  priceChange24h: number | undefined
  priceChange1wk: number | undefined
  updatedAtMs: number | undefined
}
