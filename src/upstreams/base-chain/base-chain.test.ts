import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { runReads } from '../../testing/upstreams/run-reads.ts'
import { UpstreamError } from '../upstream.ts'
import { createBaseChain } from './base-chain.ts'

const TOKEN = `0x${'7'.repeat(40)}` as const
const WALLET = `0x${'a'.repeat(40)}` as const
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

class Refusal extends Error {
  override name = 'JsonRpcRefusal'
}

type Answer = (method: string, params: readonly unknown[]) => unknown
function open(answer: Answer) {
  const asked: [string, readonly unknown[]][] = []
  const clock = createManualClock(Date.UTC(2026, 4, 6))
  const chain = createBaseChain({
    clock,
    random: () => 0.5,
    node: {
      async call(method, params) {
        asked.push([method, params])
        return answer(method, params)
      },
    },
  })
  return { chain, asked, clock }
}

/** A node that runs the program for many reads. */
const together =
  (answer: Parameters<typeof runReads>[1]): Answer =>
  (_, [call]) =>
    runReads((call as { data: Hex }).data, answer)

/** Once what is under way has nothing to wait for but the clock. */
const settled = () => new Promise<void>((done) => setImmediate(done))

const faultOf = async (work: Promise<unknown>) => {
  const error = await work.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(UpstreamError)
  return (error as UpstreamError).fault
}

describe('what a token says of itself', () => {
  const tell = (...answers: readonly (Hex | undefined)[]) => {
    let next = 0
    return open(together(() => answers[next++])).chain.metadata(TOKEN)
  }

  it('is read in one call', async () => {
    const { chain, asked } = open(
      together((_, data) =>
        data === '0x313ce567' ? number(6n) : data === '0x18160ddd' ? number(5n) : text('A 🦀'),
      ),
    )
    expect(await chain.metadata(TOKEN)).toEqual({
      name: 'A 🦀',
      symbol: 'A 🦀',
      decimals: 6,
      totalSupply: 5n,
    })
    expect(asked.length).toBe(1)
  })

  it('is undefined where it says nothing, or nothing that can be read', async () => {
    const nothing = { name: undefined, symbol: undefined, decimals: undefined, totalSupply: undefined }
    expect(await tell('0x', '0x', '0x', '0x')).toEqual(nothing)
    expect(await tell(undefined, undefined, undefined, undefined)).toEqual(nothing)
    expect(await tell('0x12', `0x${'f'.repeat(128)}`, number(256n), '0x01')).toEqual(nothing)
    const endless = `0x${'0'.repeat(62)}20${'0'.repeat(56)}ffffffff` as const
    expect(await tell(endless, endless, number(2n ** 255n), number(7n))).toEqual({
      ...nothing,
      totalSupply: 7n,
    })
  })

  it('may be 32 bytes, and is cut where it is long', async () => {
    const old = `0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}` as const
    const { name, symbol } = await tell(old, text('x'.repeat(100_000)), number(18n), number(1n))
    expect([name, symbol?.length]).toEqual(['MKR', 1_024])
    expect((await tell(`0x${'ff'.repeat(32)}`, text(''), number(0n), number(0n))).name).toContain('\ufffd')
  })
})

describe('balances and allowances', () => {
  it('come in the order that was asked for', async () => {
    const tokens = Array.from({ length: 250 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
    const { chain, asked } = open(together((to) => (to === tokens[3] ? undefined : number(BigInt(to)))))
    const found = await chain.balances(WALLET, tokens)
    expect(found).toEqual(tokens.map((_, i) => (i === 3 ? undefined : BigInt(i))))
    expect(asked.length).toBe(3)
    expect(await chain.allowances(WALLET, [{ token: tokens[9] ?? '', spender: TOKEN }])).toEqual([9n])
    expect(await chain.balances(WALLET, [])).toEqual([])
  })

  it('are not asked for again, and nobody is called no token, where the node refuses', async () => {
    const { chain, asked } = open(() => {
      throw new Refusal('execution reverted')
    })
    expect(await faultOf(chain.balances(WALLET, [TOKEN, TOKEN]))).toBe('refused')
    expect(asked.length).toBe(1)
  })

  it.each([['0x'], ['0x1234'], [null], [5], [{}]])('refuse %j as a reply', async (reply) => {
    expect(await faultOf(open(() => reply).chain.balances(WALLET, [TOKEN]))).toBe('malformed')
  })
})

describe('single facts', () => {
  it('are read', async () => {
    const { chain } = open((method) =>
      method === 'eth_getBlockByNumber' ? { number: '0x10', timestamp: '0x65' } : '0x10',
    )
    expect(await chain.ether(WALLET)).toBe(16n)
    expect(await chain.nonce(WALLET)).toBe(16)
    expect(await chain.codeOf(TOKEN)).toBe('0x10')
    expect(await chain.block(16)).toEqual({ number: 16, atMs: 101_000 })
  })

  it.each([[null], ['12'], ['0x'], [`0x${'f'.repeat(65)}`], [12], [[]]])('are never %j', async (reply) => {
    const { chain } = open(() => reply)
    expect(await faultOf(chain.ether(WALLET))).toBe('malformed')
    expect(await faultOf(chain.blockNumber())).toBe('malformed')
  })

  it('are late or missing as an upstream is', async () => {
    const { chain, clock } = open(() => new Promise(() => {}))
    const late = faultOf(chain.ether(WALLET))
    await settled()
    clock.advance(5_000)
    expect(await late).toBe('down')
    const dead = open(() => {
      throw new Error('connection refused at http://secret')
    }).chain
    for (let i = 0; i < 5; i++) expect(await faultOf(dead.ether(WALLET))).toBe('down')
    expect(await faultOf(dead.ether(WALLET))).toBe('busy')
  })
})

describe('events', () => {
  const log = (blockNumber: number, changes: object = {}) => ({
    address: TOKEN,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      topic(WALLET),
      topic(TOKEN),
    ],
    data: number(BigInt(blockNumber)),
    blockNumber: `0x${blockNumber.toString(16)}`,
    logIndex: '0x0',
    transactionHash: `0x${'1'.repeat(64)}`,
    ...changes,
  })
  type Filter = { fromBlock: string; toBlock: string }
  const ranged =
    (maxBlocks: number): Answer =>
    (_, [filter]) => {
      const { fromBlock, toBlock } = filter as Filter
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      if (to - from + 1 > maxBlocks) throw new Refusal('query returned more than 10000 results')
      return [from, to].map((block) => log(block))
    }

  it('are read in ranges that the node allows', async () => {
    const { chain, asked } = open(ranged(500))
    const { rows, fromBlock } = await chain.transfers(TOKEN, 1_000, 2_999)
    expect(fromBlock).toBe(1_000)
    const blocks = rows.map(({ blockNumber }) => blockNumber)
    expect(blocks).toEqual([1_000, 1_499, 1_500, 1_999, 2_000, 2_499, 2_500, 2_999])
    expect(rows[0]).toMatchObject({ token: TOKEN, from: WALLET, to: TOKEN, amount: 1_000n })
    expect(asked.length).toBe(6)
  })

  it('begin later where that is more than is read', async () => {
    const { chain, asked, clock } = open(ranged(2_000))
    const reading = chain.transfers(TOKEN, 0, 1_000_000)
    for (let i = 0; i < 200; i++) {
      await settled()
      clock.advance(100)
    }
    const { rows, fromBlock } = await reading
    expect(asked.length).toBe(24)
    expect([fromBlock, rows[0]?.blockNumber]).toEqual([1_000_001 - 48_000, 1_000_001 - 48_000])
  })

  it('of other tokens, blocks and standards are left out', async () => {
    const nft = [...log(5).topics, topic(TOKEN)]
    const { chain } = open(() => [
      log(5),
      log(6),
      log(7, { data: '0x' }),
      log(8, { topics: nft, data: '0x' }),
      log(9, { address: WALLET }),
      log(99),
      log(10, { blockNumber: null }),
    ])
    const { rows } = await chain.transfers(TOKEN, 5, 10)
    expect(rows.map(({ amount }) => amount)).toEqual([5n, 6n])
  })

  it('are refused where most of them cannot be read', async () => {
    expect(await faultOf(open(() => [{}, {}, log(1)]).chain.transfers(TOKEN, 0, 5))).toBe('malformed')
    expect(await faultOf(open(() => null).chain.transfers(TOKEN, 0, 5))).toBe('malformed')
  })

  it('of approvals go up to the newest block', async () => {
    const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
    const { chain, asked } = open((method) =>
      method === 'eth_blockNumber' ? '0x20' : [log(32, { topics: [approval, topic(WALLET), topic(TOKEN)] })],
    )
    const { rows } = await chain.approvalEvents(WALLET, 3)
    expect(rows).toMatchObject([{ owner: WALLET, spender: TOKEN, amount: 32n, token: TOKEN }])
    expect(asked[1]?.[1]).toMatchObject([{ fromBlock: '0x3', toBlock: '0x20' }])
  })
})

describe('which addresses have ether or code', () => {
  const word = (value: string) => value.padStart(64, '0')
  it('is one call for many', async () => {
    const { chain, asked } = open(() => `0x${word('1')}${word('')}${word('2a')}`)
    expect(await chain.haveEtherOrCode([WALLET, TOKEN, WALLET])).toEqual([true, false, true])
    const [[method, params] = []] = asked
    expect([asked.length, method]).toEqual([1, 'eth_call'])
    const { data } = (params ?? [])[0] as { data: string }
    expect(data.endsWith([WALLET, TOKEN, WALLET].map((address) => word(address.slice(2))).join(''))).toBe(
      true,
    )
  })
  it.each([undefined, '0x', `0x${word('1')}`, `0x${'z'.repeat(128)}`])('%s tells nothing', async (reply) => {
    expect(await faultOf(open(() => reply).chain.haveEtherOrCode([WALLET, TOKEN]))).toBe('malformed')
  })
})
