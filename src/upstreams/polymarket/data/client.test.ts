import { describe, expect, it } from 'vitest'
import { CONDITION_ID } from '../../../testing/upstreams/gamma-payloads.ts'
import { OWN_PAYLOADS } from '../../../testing/upstreams/own-payloads.ts'
import { createScriptedUpstream } from '../../../testing/upstreams/scripted-upstream.ts'
import { PathPartError } from '../../rules/path-parts.ts'
import { createPolyData } from './client.ts'

type Reply = { data: Record<string, unknown>[]; pagination: object }
const WALLET = `0x${'c1'.repeat(20)}`
const activity = OWN_PAYLOADS['recorded/polymarket-data/v2_activity.json'] as Reply
const trades = OWN_PAYLOADS['recorded/polymarket-data/v2_trades_taker_only.json'] as Reply
const positions = OWN_PAYLOADS['recorded/polymarket-data/v2_positions_open.json'] as Reply
const [trade, redeem, rebate] = activity.data
const page = (rows: readonly unknown[], next_cursor: string | null = null) => ({
  data: rows,
  pagination: { has_more: next_cursor !== null, next_cursor },
})
const answering = (json: unknown) => createPolyData(createScriptedUpstream(() => json))

describe('the account data', () => {
  it('reads page after page, and keeps rows that are equal', async () => {
    const upstream = createScriptedUpstream(({ query }) =>
      query?.cursor === undefined ? page([trade, trade], 'two') : page([trade, redeem, rebate]),
    )
    const { rows } = await createPolyData(upstream).activity(WALLET.toUpperCase().replace('0X', '0x'))
    expect(rows.map(({ kind }) => kind)).toEqual(['TRADE', 'TRADE', 'TRADE', 'REDEEM', 'OTHER'])
    expect(rows[0]).toMatchObject({
      side: 'BUY',
      shares: 10,
      usd: 5.175,
      price: 0.5,
      conditionId: CONDITION_ID,
    })
    expect(rows[3]).toMatchObject({ side: undefined, price: undefined, usd: 10 })
    expect(rows[4]).toMatchObject({ type: 'MAKER_REBATE', conditionId: '', tokenId: undefined })
    expect(upstream.asked.map(({ query }) => [query?.user, query?.limit, query?.cursor])).toEqual([
      [WALLET, 1000, undefined],
      [WALLET, 1000, 'two'],
    ])
  })

  it('knows a transaction hash in capitals as the same hash', async () => {
    const lower = `0x${'3c'.repeat(32)}`
    const shouted = { transaction_hash: `0x${'3C'.repeat(32)}` }
    const { rows } = await answering(page([{ ...redeem, ...shouted }])).activity(WALLET)
    expect(rows).toMatchObject([{ kind: 'REDEEM', transactionHash: lower }])
    const fills = await answering(page([{ ...trades.data[0], ...shouted }])).trades(WALLET, {
      takerOnly: true,
    })
    expect(fills).toMatchObject([{ transactionHash: lower }])
  })

  it('loses no page to a row or a field that no sum counts', async () => {
    const { side: _, ...sideless } = redeem ?? {}
    const gone = { title: null, slug: null, event_slug: 5, outcome: {} }
    const { rows } = await answering(
      page([
        { ...sideless, title: null },
        { ...redeem, side: null, price: 1.5 },
        { ...rebate, type: 'REWARD', ...gone, transaction_hash: '', condition_id: null, token_id: null },
        { ...rebate, type: 'Yield 2', size: 2e9, usdc_size: null, side: 'LEFT', price: 'NaN' },
        { ...trade, ...gone, type: 'Trade' },
      ]),
    ).activity(WALLET)
    expect(rows).toMatchObject([
      { kind: 'REDEEM', side: undefined, title: '', usd: 10 },
      { kind: 'REDEEM', side: undefined, price: undefined, usd: 10 },
      { kind: 'OTHER', type: 'REWARD', conditionId: '', tokenId: undefined, transactionHash: '', usd: 1 },
      { kind: 'OTHER', type: 'Yield 2', shares: undefined, usd: undefined, side: undefined },
      { kind: 'TRADE', type: 'Trade', side: 'BUY', usd: 5.175, outcome: undefined, slug: '' },
    ])
    const untitled = page([{ ...positions.data[0], title: null, slug: undefined }])
    expect(await answering(untitled).positions(WALLET)).toMatchObject([{ title: '', slug: '', shares: 10 }])
  })

  it.each([
    [[page([], 'a'), page([], 'b'), page([], 'a')], 'malformed', 'a cursor came twice'],
    [[page([], 'a'), page([], 'a')], 'malformed', 'a cursor came twice'],
    [[{ data: [], pagination: { has_more: true, next_cursor: null } }], 'malformed', 'no cursor'],
    [[{ data: [], pagination: { has_more: true } }], 'malformed', 'no cursor'],
    [[{ data: [], pagination: { has_more: 1 } }], 'malformed', 'has_more'],
    // One bad row would make the sums wrong.
    [
      [page([trade, { ...trade, usdc_size: 'NaN' }])],
      'malformed',
      'data[1].usdc_size: a TRADE without an amount',
    ],
    [[page([{ ...trade, side: '' }])], 'malformed', 'a TRADE without a side'],
    [[page([{ ...trade, price: 0 }])], 'malformed', 'a TRADE without a price'],
    [[page([{ ...trade, type: 'trade', side: null }])], 'malformed', 'a TRADE without a side'],
    [[page([{ ...trade, token_id: '0x' }])], 'malformed', 'a TRADE without a token id'],
    [[page([{ ...redeem, size: 2e9 }])], 'malformed', 'a REDEEM without a number of shares'],
    [[page([{ ...redeem, type: 'SPLIT', size: -1 }])], 'malformed', 'a SPLIT without a number of shares'],
    [[page([{ ...redeem, type: 'MERGE', usdc_size: null }])], 'malformed', 'a MERGE without an amount'],
    [[page([{ ...redeem, transaction_hash: '' }])], 'malformed', 'a REDEEM without a transaction hash'],
    [[page([{ ...redeem, type: null }])], 'malformed', 'type'],
    [[page([{ ...redeem, type: '' }])], 'malformed', 'type'],
    [[page([{ ...redeem, condition_id: '' }])], 'malformed', 'a REDEEM without a condition id'],
    [[page([{ ...trade, proxy_wallet: `0x${'d2'.repeat(20)}` }])], 'malformed', 'another account'],
  ])('rejects what would add up wrongly', async (replies, fault, message) => {
    let next = 0
    const upstream = createScriptedUpstream(() => replies[next++])
    await expect(createPolyData(upstream).activity(WALLET)).rejects.toMatchObject({
      fault,
      message: expect.stringContaining(message),
    })
  })

  it('stops at a bound, and says so', async () => {
    let pages = 0
    const upstream = createScriptedUpstream(() => page([trade], `page-${++pages}`))
    const read = await createPolyData(upstream).activity(WALLET)
    expect([pages, read.rows.length, read.isWhole]).toEqual([50, 50, false])
    const without = createScriptedUpstream(() => page([], `page-${++pages}`))
    await expect(createPolyData(without).positions(WALLET)).rejects.toMatchObject({ fault: 'busy' })
  })

  it('takes no part of a history that is not the newest', async () => {
    let pages = 0
    const upstream = createScriptedUpstream(() =>
      page([{ ...trade, timestamp: 1_790_000_000 + pages }], `page-${++pages}`),
    )
    await expect(createPolyData(upstream).activity(WALLET)).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('asks for the fills of makers where they are wanted', async () => {
    const upstream = createScriptedUpstream(() => trades)
    const range = { startS: 1_790_000_000, endS: 1_790_700_000 }
    expect(await createPolyData(upstream).trades(WALLET, { takerOnly: false, ...range })).toMatchObject([
      { side: 'BUY', shares: 10, price: 0.5 },
    ])
    expect(upstream.asked[0]?.query).toMatchObject({
      taker_only: false,
      start: 1_790_000_000,
      end: 1_790_700_000,
    })
  })

  it('reads positions, value, resolutions and how late all of that is', async () => {
    expect(await answering(positions).positions(WALLET)).toMatchObject([
      { shares: 10, costUsd: 5, feesUsd: 0.175, redeemable: false },
    ])
    const value = { data: { proxy_wallet: WALLET, value: 0 } }
    expect(await answering(value).value(WALLET)).toEqual({ wallet: WALLET, valueUsd: 0 })
    const resolutions = OWN_PAYLOADS['recorded/polymarket-data/v2_resolutions.json']
    expect(await answering(resolutions).resolution(CONDITION_ID)).toMatchObject({ payoutsE6: [0, 1_000_000] })
    expect(await answering({ data: [] }).resolution(CONDITION_ID)).toBeUndefined()
    const status = { computed_at: '2026-09-28T18:30:19Z', age_seconds: null, serving: { lag_seconds: 4 } }
    expect(await answering({ data: status }).status()).toMatchObject({ ageS: undefined, lagS: 4 })
  })

  it('asks about nothing but wallets and conditions', async () => {
    const upstream = createScriptedUpstream(() => page([], '../../x'))
    const data = createPolyData(upstream)
    await expect(data.activity('0x12')).rejects.toThrow(PathPartError)
    await expect(data.resolution('x')).rejects.toThrow(PathPartError)
    expect(upstream.asked).toEqual([])
    // What the provider sends is its fault, not ours.
    await expect(data.positions(WALLET)).rejects.toMatchObject({ fault: 'malformed' })
  })
})
