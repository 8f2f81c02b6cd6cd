import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { AT_MS, OWN_PAYLOADS } from '../../testing/upstreams/derivatives-payloads.ts'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { createBinanceFutures } from '../binance-futures/client.ts'
import { createBybit } from '../bybit/client.ts'
import { createHyperliquid } from '../hyperliquid/client.ts'
import { createOkx } from '../okx/client.ts'
import { UpstreamError } from '../upstream.ts'

const clock = createManualClock(AT_MS)
const random = () => 0.5
const own = (name: string) => OWN_PAYLOADS[name]

describe('Binance', () => {
  const answers: Record<string, (symbol: unknown) => unknown> = {
    '/fapi/v1/premiumIndex': () => own('binance premiumIndex'),
    '/fapi/v1/openInterest': (symbol) => ({ symbol, openInterest: '10', time: AT_MS }),
    '/fapi/v1/ticker/24hr': (symbol) => ({ symbol, quoteVolume: '5000' }),
    '/fapi/v1/fundingInfo': () => [{ symbol: 'ETHUSDT', fundingIntervalHours: 4 }],
  }
  const upstream = () => createScriptedUpstream(({ path, query }) => answers[path]?.(query?.symbol))

  it('puts the replies together, with the interval of each contract', async () => {
    const found = await createBinanceFutures({ upstream: upstream(), clock, random }).perpetuals()
    expect([...found.keys()]).toEqual(['BTC', 'ETH'])
    expect(found.get('BTC')).toMatchObject({
      fundingRate: 0.000075,
      intervalHours: 8,
      openInterest: 10,
      openInterestUsd: 901_005,
      volume24hUsd: 5_000,
      nextFundingMs: AT_MS + 3 * HOUR_MS,
    })
    expect(found.get('ETH')?.intervalHours).toBe(4)
  })

  it('reads the intervals once an hour, not at every poll', async () => {
    const asked = upstream()
    const venue = createBinanceFutures({ upstream: asked, clock, random })
    await venue.perpetuals()
    await venue.perpetuals()
    expect(asked.asked.filter(({ path }) => path.endsWith('fundingInfo'))).toHaveLength(1)
    expect(asked.asked).toHaveLength(2 * 9 + 1)
  })

  it('is told without a volume where the ticker fails', async () => {
    const lame = createScriptedUpstream(({ path, query }) =>
      path.endsWith('24hr') && query?.symbol === 'BTCUSDT' ? undefined : answers[path]?.(query?.symbol),
    )
    const found = await createBinanceFutures({ upstream: lame, clock, random }).perpetuals()
    expect(found.get('BTC')).toMatchObject({ openInterest: 10, volume24hUsd: undefined })
    expect(found.get('ETH')?.volume24hUsd).toBe(5_000)
  })

  it('rejects where a part is not there, with the error of the adapters', async () => {
    const broken = createScriptedUpstream(() => ({ msg: 'no' }))
    await expect(createBinanceFutures({ upstream: broken, clock, random }).perpetuals()).rejects.toThrow(
      UpstreamError,
    )
  })
})

describe('OKX', () => {
  const answers: Record<string, unknown> = {
    '/api/v5/public/funding-rate': own('okx fundings'),
    '/api/v5/public/open-interest': own('okx openInterest'),
    '/api/v5/public/mark-price': own('okx mark prices'),
    '/api/v5/market/tickers': own('okx tickers'),
  }

  it('asks four times for everything, and then knows what a contract holds', async () => {
    const upstream = createScriptedUpstream(({ path }) => answers[path])
    const okx = createOkx(upstream)
    expect(okx.contractCoins('SOL')).toBeUndefined()
    const found = await okx.perpetuals()
    expect(upstream.asked).toHaveLength(4)
    expect(found.get('SOL')).toEqual({
      fundingRate: 0.0002,
      intervalHours: 4,
      nextFundingMs: AT_MS + 3 * HOUR_MS,
      markPrice: 160.25,
      openInterest: 3_000_000,
      openInterestUsd: 480_000_000,
      volume24hUsd: 9_000_000.5 * 160.25,
    })
    expect(okx.contractCoins('SOL')).toBe(1)
    // Without a rate and a price there is no perpetual.
    expect(found.has('BTC')).toBe(false)
  })

  it('is told without volumes where the tickers fail', async () => {
    const lame = createScriptedUpstream(({ path }) => (path.endsWith('tickers') ? undefined : answers[path]))
    const found = await createOkx(lame).perpetuals()
    expect(found.get('SOL')).toMatchObject({ openInterest: 3_000_000, volume24hUsd: undefined })
  })
})

it('Bybit gives all contracts at once, and a week of rates whatever their interval', async () => {
  const upstream = createScriptedUpstream(({ path }) =>
    path.endsWith('tickers') ? own('bybit tickers') : own('bybit fundings'),
  )
  const bybit = createBybit(upstream)
  expect([...(await bybit.perpetuals()).keys()]).toEqual(['BTC', 'XRP'])
  await bybit.settledFundings('BTC', 7)
  expect(upstream.asked[1]?.query).toMatchObject({ category: 'linear', symbol: 'BTCUSDT', limit: 168 })
})

it('Hyperliquid settles on the next whole hour', async () => {
  const late = createManualClock(AT_MS + 61_000)
  const upstream = createScriptedUpstream(({ body }) =>
    (body as { type: string }).type === 'metaAndAssetCtxs'
      ? own('hyperliquid contexts')
      : own('hyperliquid fundings'),
  )
  const venue = createHyperliquid(upstream, late)
  const found = await venue.perpetuals()
  expect(found.get('BTC')).toMatchObject({ intervalHours: 1, nextFundingMs: AT_MS + HOUR_MS })
  await venue.settledFundings('ETH', 7)
  expect(upstream.asked[1]?.body).toEqual({
    type: 'fundingHistory',
    coin: 'ETH',
    startTime: late.now() - 7 * DAY_MS,
  })
})
