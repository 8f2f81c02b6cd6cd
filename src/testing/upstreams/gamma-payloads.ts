// Payloads of our own in the shape of Gamma's.

type Fields = Readonly<Record<string, unknown>>

export const WINDOW_START_S = 1_790_617_500
const START = '2026-09-28T17:45:00Z'
const END = '2026-09-28T17:50:00Z'
export const UP_TOKEN = '71111111111111111111111111111111111111111111111111111111111111111111111111111'
export const DOWN_TOKEN = '32222222222222222222222222222222222222222222222222222222222222222222222222222'
export const CONDITION_ID = `0x${'ab'.repeat(32)}`

/** The market of an open window of BTC. */
export const fiveMinuteMarket = (changed: Fields = {}): Fields => ({
  id: '700001',
  question: 'Bitcoin Up or Down - September 28, 1:45PM-1:50PM ET',
  conditionId: CONDITION_ID,
  slug: `btc-updown-5m-${WINDOW_START_S}`,
  resolutionSource: 'https://data.chain.link/streams/btc-usd-twap-60s-streams',
  startDate: '2026-09-27T17:48:31.250117Z',
  eventStartTime: START,
  endDate: END,
  outcomes: '["Up", "Down"]',
  outcomePrices: '["0.615", "0.385"]',
  clobTokenIds: JSON.stringify([UP_TOKEN, DOWN_TOKEN]),
  volume: '1250.75',
  volumeNum: 1250.75,
  liquidity: '20400.5',
  active: true,
  closed: false,
  acceptingOrders: true,
  negRisk: false,
  orderPriceMinTickSize: 0.01,
  orderMinSize: 5,
  makerBaseFee: 1000,
  takerBaseFee: 1000,
  feesEnabled: true,
  feeType: 'crypto_fees_v2',
  feeSchedule: { exponent: 1, rate: 0.07, takerOnly: true, rebateRate: 0.2 },
  cryptoMarketConfig: {
    id: 'btc-5m-twap-60',
    asset: 'btc',
    duration: '5m',
    twapEnabled: true,
    twapLookbackSeconds: 60,
  },
  version: 'v1',
  ...changed,
})

export const fiveMinuteEvent = (market: Fields = {}, event: Fields = {}): Fields => ({
  id: '900001',
  slug: `btc-updown-5m-${WINDOW_START_S}`,
  title: 'Bitcoin Up or Down - September 28, 1:45PM-1:50PM ET',
  resolutionSource: 'https://data.chain.link/streams/btc-usd-twap-60s-streams',
  startDate: '2026-09-27T17:48:31.250117Z',
  endDate: END,
  tags: [
    { id: '102892', slug: '5M', label: '5M' },
    { id: '21', slug: 'crypto', label: 'Crypto' },
  ],
  markets: [fiveMinuteMarket(market)],
  eventMetadata: null,
  ...event,
})

/** What a resolved window has that an open one has not. */
export const resolvedDown: Fields = {
  closed: true,
  acceptingOrders: false,
  outcomePrices: '["0", "1"]',
  umaResolutionStatus: 'resolved',
  closedTime: '2026-09-28 17:50:49+00',
}
