import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OWN_PARSERS, PARSERS, UNREAD } from '../../testing/upstreams/derivatives-parsers.ts'
import { AT_MS, OWN_PAYLOADS } from '../../testing/upstreams/derivatives-payloads.ts'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'
import { UpstreamError } from '../upstream.ts'

const areMissing = areRecordedMissing()
const read = (file: string) => PARSERS[file]?.(JSON.parse(recordedText(file)), recordedText(file))
const own = (name: string, json = OWN_PAYLOADS[name]) => OWN_PARSERS[name]?.(json, JSON.stringify(json))

describe.skipIf(areMissing)('recorded replies of derivatives venues', () => {
  it('all are read or say why not', () => {
    const recorded = ['binance', 'bybit', 'okx', 'hyperliquid'].flatMap((host) =>
      readdirSync(new URL(`recorded/${host}`, FIXTURES)).map((file) => `recorded/${host}/${file}`),
    )
    const documented = readdirSync(new URL('from-docs', FIXTURES))
      .filter((file) => /^(binance_futures_|nautilus_(bybit|okx|hyperliquid)_)/.test(file))
      .map((file) => `from-docs/${file}`)
    expect([...Object.keys(PARSERS), ...Object.keys(UNREAD)].sort()).toEqual(
      [...recorded, ...documented].sort(),
    )
  })

  it('Binance', () => {
    expect(read('recorded/binance/fapi_openInterest.json')).toEqual(new Map([['BTC', 95_744.938]]))
    expect(read('recorded/binance/fapi_ticker24hr.json')).toEqual(new Map([['BTC', 14_378_633_588.65]]))
    expect(read('recorded/binance/fapi_fundingRate.json')).toEqual([
      { atMs: 1_791_302_400_000, rate: 0.00002245 },
      { atMs: 1_791_331_200_002, rate: -0.00000743 },
      { atMs: 1_791_360_000_002, rate: -0.00003657 },
    ])
    expect(read('recorded/binance/futures_data_openInterestHist.json')).toContainEqual({
      atMs: 1_788_901_200_000,
      openInterest: 106_748.863,
    })
    expect(read('from-docs/binance_futures_liquidation_stream.json')).toEqual({
      liquidations: [{ coin: 'BTC', side: 'long', usd: 9910.12345678 * 0.014, atMs: 1_568_014_460_893 }],
      skipped: 0,
    })
  })

  it('Bybit: one side of what is open', () => {
    expect(read('recorded/bybit/v5_market_open_interest.json')).toContainEqual({
      atMs: 1_788_908_400_000,
      openInterest: 28_202.477,
    })
    expect(read('from-docs/nautilus_bybit_ws_ticker_linear.json')).toEqual(
      new Map([
        [
          'BTC',
          {
            fundingRate: -0.000212,
            intervalHours: 8,
            nextFundingMs: 1_673_280_000_000,
            markPrice: 17_217.33,
            openInterest: 34_372.3805,
            openInterestUsd: 34_372.3805 * 17_217.33,
            volume24hUsd: 1_570_383_121.943499,
          },
        ],
      ]),
    )
    // A contract that is not ours.
    expect(read('recorded/bybit/ws_all_liquidation.json')).toEqual([{ liquidations: [], skipped: 0 }])
  })

  it('OKX and Hyperliquid', () => {
    expect(read('recorded/okx/http_get_mark_price.json')).toEqual(new Map([['BTC', 84_660.1]]))
    expect(read('from-docs/nautilus_okx_ws_funding_rate.json')).toEqual(
      new Map([['BTC', { fundingRate: 0.0001, intervalHours: 8, nextFundingMs: 1_744_590_349_506 }]]),
    )
    expect(read('recorded/hyperliquid/ws_all_dexs_asset_ctxs.json')).toMatchObject(
      new Map([
        ['BTC', { fundingRate: -0.0000015186, openInterest: 27_353.17682, markPrice: 77_562 }],
        ['ETH', { fundingRate: 0.0000125 }],
      ]),
    )
    expect(read('from-docs/nautilus_hyperliquid_http_funding_history.json')).toHaveLength(3)
  })
})

describe('what each venue means', () => {
  it('Binance sells out who was long, and counts what was filled', () => {
    expect(own('binance frame')).toMatchObject({ liquidations: [{ coin: 'BTC', side: 'long', usd: 35_840 }] })
  })

  it('Bybit names the side of the position', () => {
    expect(own('bybit frame')).toMatchObject({
      liquidations: [{ coin: 'ETH', side: 'long', usd: 37_501.25 }],
    })
  })

  it('OKX names the side where it has one, and counts contracts', () => {
    expect(own('okx frame')).toEqual({
      liquidations: [
        { coin: 'BTC', side: 'short', usd: 91_000.5 * 130 * 0.01, atMs: AT_MS },
        { coin: 'BTC', side: 'long', usd: 9_000, atMs: AT_MS },
      ],
      skipped: 0,
    })
  })

  it('halves what Bybit tells of both sides, and takes the one side where it tells of it', () => {
    expect(own('bybit tickers')).toMatchObject(
      new Map([
        ['BTC', { openInterest: 30_000, intervalHours: 8 }],
        ['XRP', { openInterest: 100_000_000, intervalHours: 4, volume24hUsd: undefined }],
      ]),
    )
  })

  it('reads what a contract of OKX holds, and its interval', () => {
    expect(own('okx openInterest')).toMatchObject(
      new Map([
        ['SOL', { contractCoins: 1 }],
        ['BTC', { contractCoins: 0.01, openInterestUsd: undefined }],
      ]),
    )
    expect(own('okx fundings')).toMatchObject(new Map([['SOL', { intervalHours: 4 }]]))
  })

  it('leaves out delivery contracts and coins of others', () => {
    expect([...(own('binance premiumIndex') as Map<string, unknown>).keys()]).toEqual(['BTC', 'ETH'])
    expect([...(own('hyperliquid contexts') as Map<string, unknown>).keys()]).toEqual(['BTC', 'ETH'])
    expect(own('binance fundingInfo')).toEqual(new Map([['XRP', 4]]))
  })

  it.each<[string, string, unknown]>([
    ['a refusal of Bybit', 'bybit tickers', { retCode: 10_006, retMsg: 'Too many visits!', result: {} }],
    ['a refusal of OKX', 'okx fundings', { code: '50011', msg: 'Too Many Requests', data: [] }],
    ['a list without our contracts', 'okx mark prices', { code: '0', data: [] }],
    ['contexts that are fewer than contracts', 'hyperliquid contexts', [{ universe: [{ name: 'BTC' }] }, []]],
  ])('%s is malformed', (_, name, json) => {
    expect(() => own(name, json)).toThrow(UpstreamError)
  })

  it.each<[string, string, unknown]>([
    ['binance frame', 'Invalid request: …', { code: 2, msg: 'Invalid request: …', id: 1 }],
    ['bybit frame', 'handler not found', { success: false, ret_msg: 'handler not found', op: 'subscribe' }],
    ['okx frame', "channel doesn't exist", { event: 'error', code: '60018', msg: "channel doesn't exist" }],
  ])('%s: a refused subscription is told', (name, refusal, json) => {
    expect(own(name, json)).toEqual({ liquidations: [], skipped: 0, refusal })
  })

  it('a liquidation that cannot be is skipped', () => {
    const row = { T: AT_MS, s: 'BTCUSDT', S: 'Sell', v: '20000', p: '90000' }
    const json = { topic: 'allLiquidation.BTCUSDT', data: [row, { ...row, v: 'NaN' }, { ...row, v: '1' }] }
    expect(own('bybit frame', json)).toMatchObject({ liquidations: [{ usd: 90_000 }], skipped: 2 })
  })
})
