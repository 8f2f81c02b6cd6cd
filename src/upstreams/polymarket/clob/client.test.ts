import { describe, expect, it } from 'vitest'
import { CONDITION_ID, DOWN_TOKEN, UP_TOKEN } from '../../../testing/upstreams/gamma-payloads.ts'
import { OWN_PAYLOADS } from '../../../testing/upstreams/own-payloads.ts'
import { createScriptedUpstream } from '../../../testing/upstreams/scripted-upstream.ts'
import { PathPartError } from '../../rules/path-parts.ts'
import { createClob } from './client.ts'

const book = OWN_PAYLOADS['recorded/polymarket-clob/book_btc_updown_5m.json'] as object
const info = OWN_PAYLOADS['from-docs/polymarket_clob_market_info.json'] as object
const answering = (json: unknown) => createClob(createScriptedUpstream(() => json))
const OTHER = '555'

describe('the order book', () => {
  it('asks for many books at once', async () => {
    const upstream = createScriptedUpstream(() => [book, { ...book, asset_id: DOWN_TOKEN }])
    const { books, skipped } = await createClob(upstream).books([UP_TOKEN, DOWN_TOKEN, OTHER])
    expect(upstream.asked).toEqual([
      { path: '/books', body: [{ token_id: UP_TOKEN }, { token_id: DOWN_TOKEN }, { token_id: OTHER }] },
    ])
    expect([...books.keys()]).toEqual([UP_TOKEN, DOWN_TOKEN])
    expect(books.get(UP_TOKEN)).toMatchObject({
      bids: [
        [0.6, 600],
        [0.58, 580],
        [0.4, 400],
        [0.01, 10],
      ],
    })
    expect(skipped.count).toBe(0)
  })

  it('leaves out a bad book, one that nobody asked for, and two of one token', async () => {
    const bad = { ...book, asset_id: DOWN_TOKEN, asks: [{ price: '2', size: '1' }] }
    const { books, skipped } = await answering([book, bad, { ...book, asset_id: OTHER }]).books([
      UP_TOKEN,
      DOWN_TOKEN,
    ])
    expect([...books.keys()]).toEqual([UP_TOKEN])
    expect(skipped).toMatchObject({ count: 1, reasons: [expect.stringContaining('asks[0].price')] })
    expect((await answering([book, book]).books([UP_TOKEN])).books.size).toBe(0)
  })

  it('asks for nothing where nothing is wanted, and for no more than the venue takes', async () => {
    const upstream = createScriptedUpstream(() => [])
    const clob = createClob(upstream)
    expect((await clob.books([])).books.size).toBe(0)
    await expect(clob.books(Array.from({ length: 501 }, () => UP_TOKEN))).rejects.toThrow('at most 500')
    expect((await clob.bestPrices([])).size).toBe(0)
    await expect(clob.bestPrices(Array.from({ length: 251 }, () => UP_TOKEN))).rejects.toThrow('at most 250')
    await expect(clob.books(['x'])).rejects.toThrow(PathPartError)
    await expect(clob.tickSize('1&side=BUY')).rejects.toThrow(PathPartError)
    await expect(clob.market('0x12/../x')).rejects.toThrow(PathPartError)
    expect(upstream.asked).toEqual([])
  })

  it('asks for the prices of both sides, in as many rows as the venue takes', async () => {
    const upstream = createScriptedUpstream(() => ({}))
    await createClob(upstream).bestPrices(Array.from({ length: 250 }, (_, index) => String(index)))
    const body = upstream.asked[0]?.body as object[]
    expect([body.length, body[0], body[499]]).toEqual([
      500,
      { token_id: '0', side: 'BUY' },
      { token_id: '249', side: 'SELL' },
    ])
  })

  it('has no book of a resolved market, and takes none of another token', async () => {
    expect(await answering(undefined).book(UP_TOKEN)).toBeUndefined()
    expect(await answering(book).book(UP_TOKEN)).toMatchObject({ tokenId: UP_TOKEN })
    expect(await answering({ ...book, hash: 7, last_trade_price: 'abc' }).book(UP_TOKEN)).toMatchObject({
      hash: undefined,
      lastTradePrice: undefined,
    })
    await expect(answering(book).book(DOWN_TOKEN)).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('calls the best bid what the venue calls the price of BUY', async () => {
    const upstream = createScriptedUpstream(({ query }) => ({
      price: query?.side === 'BUY' ? '0.5' : '0.51',
    }))
    const clob = createClob(upstream)
    expect([await clob.bestBid(UP_TOKEN), await clob.bestAsk(UP_TOKEN)]).toEqual([0.5, 0.51])
    const prices = await answering({ [UP_TOKEN]: { BUY: '0.5', SELL: '0' }, [DOWN_TOKEN]: {} }).bestPrices([
      UP_TOKEN,
      DOWN_TOKEN,
    ])
    expect(prices).toEqual(
      new Map([
        [UP_TOKEN, { bid: 0.5, ask: undefined }],
        [DOWN_TOKEN, { bid: undefined, ask: undefined }],
      ]),
    )
  })

  it('reads fee and delay from the market, not from the fee rate', async () => {
    expect(await answering(info).marketInfo(CONDITION_ID)).toMatchObject({
      fee: { rate: 0.07, exponent: 1 },
      hasTakerDelay: true,
      minOrderSize: 5,
    })
    expect(await answering({ ...info, fd: null, itode: null }).marketInfo(CONDITION_ID)).toMatchObject({
      fee: undefined,
      hasTakerDelay: false,
    })
    await expect(answering({ ...info, fd: { r: 7, e: 1 } }).marketInfo(CONDITION_ID)).rejects.toThrow('fd.r')
    await expect(answering(info).marketInfo(`0x${'cd'.repeat(32)}`)).rejects.toMatchObject({
      fault: 'malformed',
    })
    expect(await answering({ base_fee: 1000 }).legacyFee(UP_TOKEN)).toEqual({ legacyBaseFeeBps: 1000 })
  })

  it('has no last trade before the first', async () => {
    expect(await answering({ price: '0.5', side: '' }).lastTrade(UP_TOKEN)).toBeUndefined()
    expect(await answering({ price: '0.5', side: 'BUY' }).lastTrade(UP_TOKEN)).toEqual({
      price: 0.5,
      side: 'BUY',
    })
  })

  it('reads the small replies', async () => {
    expect(await answering(1_790_617_512).timeMs()).toBe(1_790_617_512_000)
    expect(await answering({ mid: '0.505' }).midpoint(UP_TOKEN)).toBe(0.505)
    expect(await answering({ spread: '0.01' }).spread(UP_TOKEN)).toBe(0.01)
    expect(await answering({ minimum_tick_size: '0.001' }).tickSize(UP_TOKEN)).toBe(0.001)
    expect(await answering({ neg_risk: true }).negRisk(UP_TOKEN)).toBe(true)
    const upstream = createScriptedUpstream(() => ({ history: [{ t: 1_790_617_500, p: 0.5 }] }))
    const range = { startS: 1_790_617_500, endS: 1_790_617_800 }
    expect(await createClob(upstream).pricesHistory(UP_TOKEN, range)).toEqual([
      { atMs: 1_790_617_500_000, price: 0.5 },
    ])
    expect(upstream.asked[0]?.query).toEqual({
      market: UP_TOKEN,
      startTs: range.startS,
      endTs: range.endS,
      fidelity: 1,
    })
  })
})
