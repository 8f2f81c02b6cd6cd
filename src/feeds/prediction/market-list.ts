import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import type { Aged } from '../../upstreams/source.ts'

/** What the venue lists, read every five minutes. */
export type MarketList = {
  /** The last whole list; undefined until there is one. */
  last(): Aged<readonly PredictionMarket[]> | undefined
  /** When the next one is due. */
  nextMs(): number
  /** Why there is none, or why it is old. */
  missing(): string
}

/** The markets of one page of events, the most traded or the last to end first; none behind the last page. */
export type GammaEvents = {
  page(query: {
    closed: boolean
    offset: number
    limit: number
    order: 'volume24hr' | 'endDate'
  }): Promise<readonly PredictionMarket[]>
}
