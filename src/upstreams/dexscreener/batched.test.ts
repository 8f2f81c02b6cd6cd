import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { dexPair, WETH } from '../../testing/upstreams/token-payloads.ts'
import { UpstreamError } from '../upstream.ts'
import { parseWire } from '../wire/reply.ts'
import { createBatchedPairs } from './batched.ts'
import { PairsReply } from './wire.ts'

const addressOf = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const pairOf = (address: string, quote = WETH) =>
  dexPair({
    baseToken: { address, name: 'x', symbol: 'X' },
    quoteToken: { address: quote, name: 'y', symbol: 'Y' },
  })

function open(answer: (addresses: readonly string[]) => unknown) {
  const asked: (readonly string[])[] = []
  const clock = createManualClock(Date.UTC(2026, 0, 5))
  const { pairsOf } = createBatchedPairs({
    clock,
    tokensV1: async (addresses) => {
      asked.push(addresses)
      return parseWire(PairsReply, answer(addresses), 'reply')
    },
  })
  /** How many pairs each has, or why that is not known. */
  const ask = async (addresses: readonly string[]) => {
    const all = Promise.allSettled(addresses.map(pairsOf))
    await nextTurn()
    clock.advance(10)
    return (await all).map((end) => (end.status === 'fulfilled' ? end.value.length : end.reason.fault))
  }
  return { asked, clock, pairsOf, ask }
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => addressOf(from + i))

describe('tokens that are asked for at the same time', () => {
  it('share requests of up to 30', async () => {
    const known = new Set(range(0, 20))
    const batched = open((addresses) =>
      addresses.filter((each) => known.has(each)).map((each) => pairOf(each)),
    )
    expect(await batched.ask(range(0, 35))).toEqual([...Array(20).fill(1), ...Array(15).fill(0)])
    expect(batched.asked.map(({ length }) => length)).toEqual([30, 5])
  })

  it('are asked for once, however many ask', async () => {
    const batched = open((addresses) => addresses.map((each) => pairOf(each)))
    const odd = addressOf(10).toUpperCase().replace('0X', '0x')
    expect(await batched.ask([addressOf(10), odd, addressOf(10)])).toEqual([1, 1, 1])
    expect(batched.asked).toEqual([[addressOf(10)]])
    expect(await batched.ask([addressOf(10)])).toEqual([1])
    expect(batched.asked).toHaveLength(2)
  })

  it('are asked for again where a token with many pairs crowds them out', async () => {
    const [large] = range(0, 1)
    const batched = open((addresses) =>
      addresses
        .flatMap((each) => (each === large ? Array.from({ length: 40 }, () => pairOf(each)) : [pairOf(each)]))
        .slice(0, 30),
    )
    expect(await batched.ask(range(0, 10))).toEqual([30, ...Array(9).fill(1)])
    expect(batched.asked).toEqual([range(0, 10), range(1, 10)])
  })

  it('do not suffer from a pair of another that breaks the format', async () => {
    const [bad] = range(7, 8)
    const batched = open((addresses) =>
      addresses.flatMap((each) =>
        each === bad ? [{ ...pairOf(each), priceUsd: {} }, pairOf(addressOf(99))] : [],
      ),
    )
    expect(await batched.ask(range(0, 8))).toEqual([...Array(7).fill(0), 'malformed'])
    expect(batched.asked.length).toBeLessThanOrEqual(8)
  })

  it('are refused where many requests do not settle them', async () => {
    const crowd = Array.from({ length: 30 }, () => pairOf(addressOf(999)))
    const batched = open(() => crowd)
    const ends = await batched.ask(range(0, 30))
    expect(batched.asked).toHaveLength(8)
    expect(ends).toEqual(Array(30).fill('busy'))
  })

  it('fail together, and are asked for anew afterwards', async () => {
    let isDown = true
    const batched = open((addresses) => {
      if (isDown) throw new UpstreamError('down', 'no reply')
      return addresses.map((each) => pairOf(each))
    })
    expect(await batched.ask(range(0, 2))).toEqual(['down', 'down'])
    isDown = false
    expect(await batched.ask(range(0, 2))).toEqual([1, 1])
  })

  it('use no more than their share of the limit, and the rest is refused at once', async () => {
    const batched = open((addresses) => addresses.map((each) => pairOf(each)))
    const flood = range(0, 601).map((address) => batched.pairsOf(address))
    const ends = Promise.allSettled(flood)
    await nextTurn()
    batched.clock.advance(1_200)
    const [last] = await Promise.allSettled(flood.slice(-1))
    expect(last).toMatchObject({ status: 'rejected', reason: { fault: 'busy' } })
    // Ten at once, and the one that a second allows.
    expect(batched.asked).toHaveLength(11)
    expect((await ends).filter(({ status }) => status === 'fulfilled')).toHaveLength(330)
    await expect(batched.pairsOf('0x12')).rejects.toThrow('not an address')
  })
})
