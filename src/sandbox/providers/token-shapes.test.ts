import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { type Internet, startInternet } from '../internet.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { createTokenWorld } from '../tokens/create-token-world.ts'
import { USDC, WETH } from '../tokens/known-addresses.ts'
import type { SimToken } from '../tokens/token-world.ts'

const areMissing = areRecordedMissing()
const START_MS = Date.UTC(2026, 4, 6, 1)
let internet: Internet
let token: SimToken

beforeAll(async () => {
  const market = createSimulatedMarket({ seed: 'shapes', startMs: START_MS })
  const tokens = createTokenWorld({ seed: 'shapes', market })
  internet = await startInternet({ market, clock: createManualClock(START_MS), tokens })
  const found = tokens.tokens.find(({ pools }) => pools.length === 2)
  if (!found) throw new Error('no token in two pools')
  token = found
})
afterAll(() => internet.close())

type Host = 'GECKOTERMINAL' | 'DEXSCREENER' | 'GOPLUS' | 'HONEYPOT'
type Json = Readonly<Record<string, unknown>>
const recorded = (file: string) => JSON.parse(recordedText(file))
const get = async (host: Host, path: string) =>
  JSON.parse(await (await fetch(internet.urls[host] + path)).text())

/** Key names and JSON types, all the way down; a list is as its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
const without = (value: Json, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

describe.skipIf(areMissing)('the simulated sources of tokens have the shape of the real ones', () => {
  it('GeckoTerminal: pools and what is sent along', async () => {
    const ours = await get(
      'GECKOTERMINAL',
      '/networks/base/trending_pools?include=base_token,quote_token,dex',
    )
    const theirs = recorded('from-docs/coingecko/onchain_trending_pools.json')
    const pool = (reply: { data: { attributes: Json }[] }) => ({
      ...reply.data[0],
      // The market value of a token is known for few of them.
      attributes: without(reply.data[0]?.attributes ?? {}, 'market_cap_usd'),
    })
    expect(shapeOf(pool(ours))).toEqual(shapeOf(pool(theirs)))
    for (const type of ['token', 'dex']) {
      const included = ({ included }: { included: Json[] }) => included.find((each) => each.type === type)
      const names = (reply: { included: Json[] }) =>
        shapeOf(without(included(reply)?.attributes as Json, 'coingecko_coin_id'))
      expect(names(ours)).toEqual(names(theirs))
    }
  })

  it('GeckoTerminal: a token, prices and candles', async () => {
    const attributesOf = ({ data }: { data: { attributes: Json } }, ...but: string[]) =>
      without(data.attributes, 'coingecko_coin_id', 'market_cap_usd', 'last_trade_timestamp', ...but)
    expect(
      shapeOf(attributesOf(await get('GECKOTERMINAL', `/networks/base/tokens/${token.address}`))),
    ).toEqual(shapeOf(attributesOf(recorded('from-docs/coingecko/onchain_token.json'))))
    const info = attributesOf(await get('GECKOTERMINAL', `/networks/base/tokens/${token.address}/info`))
    const theirInfo = attributesOf(recorded('from-docs/coingecko/onchain_token_info.json'))
    expect(Object.keys(theirInfo)).toEqual(expect.arrayContaining(Object.keys(info)))
    for (const key of ['gt_score', 'gt_score_details', 'holders', 'developer_holding_percentage'])
      expect([key, shapeOf(info[key])]).toEqual([key, shapeOf(theirInfo[key])])
    const wanted =
      'include_24hr_vol=true&include_24hr_price_change=true&include_total_reserve_in_usd=true&include_market_cap=true'
    const prices = await get('GECKOTERMINAL', `/simple/networks/base/token_price/${WETH}?${wanted}`)
    const theirPrices = recorded('from-docs/coingecko/onchain_simple_token_price.json')
    expect(Object.keys(prices.data.attributes)).toEqual(
      Object.keys(attributesOf(theirPrices)).toSpliced(1, 0, 'market_cap_usd'),
    )
    expect(shapeOf(Object.values(prices.data.attributes.token_prices))).toEqual(['string'])
    const path = `/networks/base/pools/${token.pools[0]?.id}/ohlcv/hour?limit=2`
    const candles = await get('GECKOTERMINAL', path)
    const theirCandles = recorded('recorded/geckoterminal/pool_ohlcv.json')
    expect(shapeOf(candles.data)).toEqual(shapeOf(theirCandles.data))
    expect(Object.keys(candles.meta.base).sort()).toEqual(Object.keys(theirCandles.meta.base).sort())
  })

  it('DexScreener', async () => {
    const [pair] = await get('DEXSCREENER', `/tokens/v1/base/${token.address}`)
    const theirs = recorded('recorded/dexscreener/tokens_v1.json')[0]
    expect(shapeOf(without(pair, 'info'))).toEqual(shapeOf(without(theirs, 'info')))
    expect(shapeOf(theirs.info)).toMatchObject(shapeOf(pair.info) as Json)
  })

  it('GoPlus', async () => {
    const ask = async (address: string) =>
      (await get('GOPLUS', `/api/v1/token_security/8453?contract_addresses=${address}`)).result[address]
    const ours = await ask(USDC)
    const theirs: Json[] = Object.values(recorded('recorded/goplus/token_security_bsc.json').result)
    const types = Object.assign({}, ...theirs.map((each) => shapeOf(each)))
    // Those who recorded it left the liquidity out.
    const known = without(ours, 'dex', 'lp_holders', 'lp_holder_count', 'lp_total_supply')
    expect(types).toMatchObject(shapeOf(known) as Json)
  })

  it('honeypot.is', async () => {
    const ours = await get('HONEYPOT', `/v2/IsHoneypot?address=${token.address}&chainID=8453`)
    const theirs = recorded('recorded/honeypot-is/is_honeypot_clean_univ3.json')
    const { creationTxHash: _, ...pair } = theirs.pair
    expect(shapeOf(without(ours, 'holderAnalysis'))).toEqual(shapeOf({ ...theirs, pair }))
  })
})
