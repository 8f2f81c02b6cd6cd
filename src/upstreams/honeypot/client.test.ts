import { describe, expect, it } from 'vitest'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { OTHER_TOKEN, PAIR, simulation, TOKEN } from '../../testing/upstreams/token-payloads.ts'
import { createHoneypot } from './client.ts'

const read = (answer: unknown, address = TOKEN) =>
  createHoneypot(createScriptedUpstream(() => answer)).simulate(address)

describe('honeypot.is', () => {
  it('tells what came of a purchase and a sale, with taxes as shares', async () => {
    const upstream = createScriptedUpstream(() => simulation())
    expect(await createHoneypot(upstream).simulate(TOKEN)).toMatchObject({
      verdict: 'sellable',
      reason: undefined,
      buyTax: 0.05,
      sellTax: 0.125,
      transferTax: 0,
      buyGas: 176_000,
      flags: ['medium_tax'],
      holderCount: 1200,
      holders: { holders: 60, couldSell: 58, couldNotSell: 2, averageTax: 0.125, highestTax: 0.25 },
      isOpenSource: true,
      pool: PAIR,
      poolCreatedAtMs: 1_790_000_000_000,
    })
    expect(upstream.asked).toEqual([{ path: '/v2/IsHoneypot', query: { address: TOKEN, chainID: 8453 } }])
  })

  it.each([
    ['honeypot', { honeypotResult: { isHoneypot: true, honeypotReason: 'no way out' } }],
    ['sellable', { honeypotResult: { isHoneypot: 'false' } }],
    ['inconclusive', { honeypotResult: undefined }],
    ['inconclusive', { honeypotResult: { isHoneypot: 'maybe' } }],
    // What was not tried is not known, whatever else the reply says.
    ['inconclusive', { simulationSuccess: false }],
    ['inconclusive', { simulationSuccess: false, honeypotResult: { isHoneypot: true } }],
  ])('%s: %j', async (verdict, changed) => {
    expect((await read(simulation(changed)))?.verdict).toBe(verdict)
  })

  it('knows no taxes after a simulation that failed', async () => {
    const failed = await read(simulation({ simulationSuccess: false, simulationError: 'no liquidity' }))
    expect([failed?.buyTax, failed?.sellTax, failed?.reason]).toEqual([undefined, undefined, 'no liquidity'])
  })

  it.each([
    [0, 0],
    [100, 1],
    [150, 1],
    ['7.5', 0.075],
    [-1, undefined],
    [null, undefined],
    ['NaN', undefined],
  ])('takes a tax of %j percent as %j', async (sent, tax) => {
    expect((await read(simulation({ simulationResult: { sellTax: sent } })))?.sellTax).toBe(tax)
  })

  it('does without a summary and without an analysis of holders', async () => {
    const bare = await read(simulation({ summary: null, holderAnalysis: null, flags: null, pair: 5 }))
    expect(bare).toMatchObject({ verdict: 'sellable', flags: [], risk: undefined, holders: undefined })
  })

  it('finds no pool to try it in, and refuses a reply about another token', async () => {
    expect(await read(undefined)).toBeUndefined()
    await expect(read(simulation(), OTHER_TOKEN)).rejects.toMatchObject({ fault: 'malformed' })
    await expect(read({ code: 500, error: 'x' })).rejects.toMatchObject({ fault: 'malformed' })
  })
})
