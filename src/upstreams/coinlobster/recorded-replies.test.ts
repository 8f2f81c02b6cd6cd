import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'
import { OWN, PARSERS, UNREAD } from '../../testing/upstreams/whale-parsers.ts'
import { UpstreamError } from '../upstream.ts'

const read = (file: string) => PARSERS[file]?.(JSON.parse(recordedText(file)), recordedText(file))
const own = (file: string, change: (json: never) => unknown = (json) => json) => {
  const found = OWN.find((each) => each.file === file)
  if (!found) throw new Error(`no payload ${file}`)
  const json = change(structuredClone(found.json) as never)
  return found.parse(json, JSON.stringify(json))
}
function refusalOf(parse: () => unknown): string | undefined {
  try {
    parse()
  } catch (cause) {
    if (cause instanceof UpstreamError && cause.fault === 'malformed') return cause.message
    throw cause
  }
  return undefined
}

describe.skipIf(areRecordedMissing())('recorded replies about whales', () => {
  it('reads or names every one of them', () => {
    const folder = (path: string, wanted: RegExp) =>
      existsSync(new URL(path, FIXTURES))
        ? readdirSync(new URL(path, FIXTURES)).flatMap((file) =>
            wanted.test(file) ? [`${path}/${file}`] : [],
          )
        : []
    const files = [
      ...folder('recorded/coinlobster', /json$/),
      ...folder('from-docs/mempool', /json$/),
      ...folder('from-docs', /^(etf|sosovalue)_.*json$/),
    ]
    expect([...Object.keys(PARSERS), ...Object.keys(UNREAD)].sort()).toEqual(files.sort())
  })

  it('large trades of CoinLobster', () => {
    expect(read('recorded/coinlobster/whales.json')).toEqual({
      skipped: { count: 0, reasons: [] },
      trades: [
        {
          id: '1933474493341685640383729210',
          coin: 'BTC',
          exchange: 'HTX',
          isFutures: false,
          isDelayed: false,
          side: 'buy',
          price: 78_428.58,
          size: 65.586883,
          usd: 5_143_886.10031614,
          atMs: 1_788_911_716_293,
        },
        expect.objectContaining({ id: '2903770855', exchange: 'OKX', usd: 3_826_757.25 }),
      ],
    })
  })

  it('flows of funds, the newest day first', () => {
    expect(read('from-docs/sosovalue_historicalInflowChart.json')).toMatchObject({
      days: [
        { dayMs: Date.UTC(2026, 6, 24), netInflowUsd: -240_084_652.5, tradedUsd: 2.1e9, assetsUsd: 9.8e10 },
      ],
    })
    expect(read('from-docs/etf_sosovalue_historical_btc.json')).toMatchObject({
      days: [{ netInflowUsd: -290.4 }, { netInflowUsd: 131.3 }],
    })
  })

  it('blocks, transactions, price and fees of Bitcoin', () => {
    expect(read('from-docs/mempool/get-blocks.json')).toMatchObject([
      { height: 730_000, atMs: 1_648_829_449_000, transactions: 1_627 },
      { height: 729_999 },
    ])
    expect(read('from-docs/mempool/get-mempool-recent.json')).toMatchObject({
      transactions: [{ sats: 4_972_029, feeSats: 18_277, vsize: 2_585 }],
    })
    expect(read('from-docs/mempool/get-transaction.json')).toMatchObject({
      inputs: [],
      outputs: [],
      isMined: false,
      blockAtMs: 1_435_754_650_000,
    })
    expect(read('from-docs/mempool/get-price.json')).toEqual({ atMs: 1_703_252_411_000, usd: 43_753 })
    expect(read('from-docs/mempool/get-recommended-fees.json')).toEqual({
      nextBlock: 1,
      halfHour: 1,
      hour: 1,
      minimum: 1,
    })
  })
})

describe('large trades of CoinLobster', () => {
  it('keeps our coins against dollars, and says which come late', () => {
    expect(own('whales')).toMatchObject({
      trades: [
        { coin: 'BTC', isDelayed: false, isFutures: false, usd: 1_250_000 },
        { coin: 'ETH', isDelayed: true, id: '77', usd: 2_000_000 },
        { coin: 'BTC', isFutures: true, side: 'sell' },
      ],
    })
  })

  type List = { whales: Record<string, unknown>[] }
  it.each([
    ['an amount that price and size do not give', { quantity_quote: 9_000_000 }],
    ['no side', { isBuy: null }],
    ['a time that cannot be', { timestamp: 5 }],
    ['a name with a control character', { exchange: 'OK\u001b[2JX' }],
    ['no price', { price: 'NaN' }],
  ])('skips and counts a row with %s', (_, change) => {
    const json = own('whales', ({ whales }: List) => ({ whales: [{ ...whales[0], ...change }, ...whales] }))
    expect(json).toMatchObject({ skipped: { count: 1 }, trades: [{ coin: 'BTC' }, {}, {}] })
  })

  it('reckons the amount where none is told', () => {
    const json = own('whales', ({ whales }: List) => ({ whales: [{ ...whales[0], quantity_quote: null }] }))
    expect(json).toMatchObject({ trades: [{ usd: 1_250_000 }] })
  })

  it('refuses a reply of which most rows are broken, or without a list', () => {
    const broken = ({ whales }: List) => ({ whales: whales.map(() => ({ rubbish: true })) })
    expect(refusalOf(() => own('whales', broken))).toContain('4 rows break the format')
    expect(refusalOf(() => own('whales', () => ({ success: false, error: 'limit' })))).toContain('whales')
  })

  it('reads what was liquidated, of our coins only', () => {
    expect(own('liquidations')).toEqual({
      asOfMs: Date.UTC(2026, 8, 28, 17, 5),
      longUsd: 6_000_000,
      shortUsd: 3_000_000,
      count: 1_200,
      coins: [{ coin: 'BTC', longUsd: 3_500_000, shortUsd: 1_500_000, count: 400 }],
    })
  })
})

describe('flows of funds', () => {
  it('reads both interfaces', () => {
    expect(own('etf')).toMatchObject({
      days: [{ netInflowUsd: 34e6, sinceStartUsd: 5e10 }, { assetsUsd: 9e10 }],
    })
    expect(own('etf with a key')).toMatchObject({
      days: [{ netInflowUsd: 5e6, assetsUsd: 1e10 }, { netInflowUsd: -1e6 }],
    })
  })

  it('refuses an error that comes as a success', () => {
    expect(refusalOf(() => own('etf', () => ({ code: 400001, msg: 'no key', data: null })))).toContain('code')
  })

  it('keeps one row of each day', () => {
    const twice = own('etf', ({ code, data }: { code: number; data: object[] }) => ({
      code,
      data: [...data, ...data],
    }))
    expect(twice).toMatchObject({ days: [{}, {}] })
  })
})

describe('transactions of Bitcoin', () => {
  it('knows new coins by their missing source, and outputs without an address', () => {
    const mined = own('transaction', (json: { vin: object[] }) => ({ ...json, vin: [{ prevout: null }] }))
    expect(mined).toMatchObject({
      isMined: true,
      inputs: [],
      outputs: [{}, {}, { address: undefined, sats: 0 }],
    })
  })
})
