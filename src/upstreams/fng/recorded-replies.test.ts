import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { OWN_PAYLOADS, PARSERS, UNREAD } from '../../testing/upstreams/sentiment-parsers.ts'
import { coinGeckoHeaders, createCoinGecko } from '../coingecko/client.ts'
import { createFearGreedIndex } from './client.ts'

const read = (file: string) => PARSERS[file]?.(JSON.parse(recordedText(file)), '')
const FNG = 'recorded/alternative-me/fng.json'
const GLOBAL = 'recorded/coingecko/global.json'
const parse = (file: string, json: unknown) => PARSERS[file]?.(json, '')

describe.skipIf(areRecordedMissing())('recorded replies', () => {
  it('has a parser or a reason for every one of them, but those about tokens', () => {
    const files = ['recorded/alternative-me', 'recorded/coingecko', 'from-docs/coingecko'].flatMap((folder) =>
      readdirSync(new URL(folder, FIXTURES)).map((file) => `${folder}/${file}`),
    )
    const known = [...Object.keys(PARSERS), ...Object.keys(UNREAD)]
    expect(files.filter((file) => !file.includes('/onchain_')).sort()).toEqual(known.sort())
  })

  it('reads the fear and greed index', () => {
    expect(read(FNG)).toEqual({
      days: [
        { value: 69, word: 'Greed', atMs: 1_788_825_600_000, nextInS: 2_723 },
        { value: 71, word: 'Greed', atMs: 1_788_739_200_000, nextInS: undefined },
      ],
      skipped: 0,
    })
  })

  it('reads the whole market', () => {
    expect(read(GLOBAL)).toEqual({
      capUsd: 2_658_993_478_160.9897,
      volume24hUsd: 56_806_772_013.82851,
      dominance: {
        BTC: 58.17938979734104,
        ETH: 11.569683291071984,
        SOL: 2.2463148455516717,
        XRP: 3.22647958586402,
      },
      capChange24hPercent: -3.5456058512332365,
      volumeChange24hPercent: -46.75811319032361,
      atMs: 1_789_235_837_000,
    })
    expect(read('from-docs/coingecko/global.json')).toMatchObject({
      dominance: { BTC: 57.9539332566265, SOL: undefined, XRP: undefined },
      atMs: 1_779_878_351_000,
    })
  })
})

describe('the fear and greed index', () => {
  const own = OWN_PAYLOADS[FNG] as { data: object[] }

  it('asks for so many days, and hands on the newest first, each once', async () => {
    const rows = [...own.data].reverse()
    const upstream = createScriptedUpstream(() => ({ ...own, data: [...rows, ...rows] }))
    const days = await createFearGreedIndex(upstream).days(2)
    expect(days.map(({ value }) => value)).toEqual([31, 47])
    expect(upstream.asked).toEqual([{ path: '/fng/', query: { limit: 2 } }])
  })

  it('leaves out a bad row, and refuses a reply of bad rows, of none, or with an error', () => {
    const bad = { value: '101', timestamp: '1790467200' }
    expect(parse(FNG, { data: [...own.data, bad] })).toMatchObject({ skipped: 1 })
    for (const reply of [
      { data: [bad] },
      { data: [] },
      { ...own, metadata: { error: 'the index is not available' } },
      { data: [{ ...own.data[0], value: 'NaN' }] },
    ])
      expect(() => parse(FNG, reply)).toThrow()
  })

  it('knows no word that the index does not use', () => {
    const data = [{ ...own.data[0], value_classification: '<b>Panic</b>' }]
    expect(parse(FNG, { data })).toMatchObject({ days: [{ value: 31, word: undefined }] })
  })
})

describe('the whole market', () => {
  const own = OWN_PAYLOADS[GLOBAL] as { data: object }

  it('needs the share of BTC, the worth and the time; what else is odd is unknown', async () => {
    const upstream = createScriptedUpstream(() => own)
    expect(await createCoinGecko(upstream).global()).toMatchObject({ dominance: { BTC: 61.5 } })
    expect(upstream.asked).toEqual([{ path: '/global' }])
    const with_ = (more: object) => parse(GLOBAL, { data: { ...own.data, ...more } })
    expect(with_({ market_cap_change_percentage_24h_usd: 'NaN' })).toMatchObject({
      capChange24hPercent: undefined,
    })
    for (const more of [
      { market_cap_percentage: { eth: 10 } },
      { market_cap_percentage: { btc: 101 } },
      { total_market_cap: {} },
      { updated_at: null },
    ])
      expect(() => with_(more)).toThrow()
    // What it sends instead when its limit is reached.
    expect(() => parse(GLOBAL, { status: { error_code: 429, error_message: 'limit' } })).toThrow()
  })

  it('sends a key only where there is one', () => {
    expect([coinGeckoHeaders(undefined), coinGeckoHeaders('k')]).toEqual([
      undefined,
      { 'x-cg-demo-api-key': 'k' },
    ])
  })
})
