import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NodeFaults } from '../../src/sandbox/chains/faulty-node.ts'
import { type ChainWorld, checkOf, openChainWorld, signedBuyer } from './chain-world.ts'

const BUYERS = 5
let world: ChainWorld
beforeAll(async () => {
  world = await openChainWorld()
})
afterAll(() => world.close())

test.each<[string, NodeFaults]>([
  ['answers 429', { status: 429 }],
  ['answers 503', { status: 503 }],
  ['never answers', { isSilent: true }],
  ['is of another chain', { chainId: 1 }],
])(
  'while the only node %s nobody is charged, no facilitator is asked, and stored replies are served',
  async (_, faults) => {
    await using service = await world.start(1)
    const [node] = world.nodes
    const before = await signedBuyer(world, service)
    expect(await untilSold(before.buy)).toBe(200)
    const text = await (await before.buy()).text()
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signedBuyer(world, service)))
    node.fail(faults)
    await untilKnown(service)
    world.asked.length = 0
    const replies = await Promise.all(buyers.map(({ buy }) => buy()))
    expect(replies.map(({ status }) => status)).toEqual(Array(BUYERS).fill(503))
    for (const reply of replies)
      expect(await reply.json()).toMatchObject({
        code: 'payments_unavailable',
        detail: expect.stringContaining('nothing was charged'),
      })
    expect(await Promise.all(buyers.map(({ paid }) => paid()))).toEqual(Array(BUYERS).fill(0n))
    expect(world.asked.filter((path) => path !== '/supported')).toEqual([])
    const again = await before.buy()
    expect([again.status, await again.text()]).toEqual([200, text])
    expect(await checkOf(service, 'chain-base')).toMatchObject({
      status: 'down',
      detail: expect.stringMatching(
        /^0 of 1 nodes well, failing since \d{4}-.*: (answers \d+|does not answer|is of chain 1)/,
      ),
    })
    expect(await checkOf(service, 'nodes')).toMatchObject({ status: 'down' })
    node.fail({})
    const [first] = buyers
    expect(await untilSold(() => first?.buy())).toBe(200)
    expect(await first?.paid()).toBe(1_000n)
  },
)

test('with a second node payments go on, and the first is named', async () => {
  await using service = await world.start(2)
  world.nodes[0].fail({ chainId: 1 })
  const buyer = await signedBuyer(world, service)
  expect(await untilSold(buyer.buy)).toBe(200)
  world.nodes[0].fail({ status: 429 })
  const next = await signedBuyer(world, service)
  expect(await untilSold(next.buy)).toBe(200)
  expect(await checkOf(service, 'chain-base')).toMatchObject({
    status: 'degraded',
    detail: expect.stringMatching(/^1 of 2 nodes well, node 1 failing since /),
  })
  world.nodes[0].fail({})
})

test('a payment whose settlement was not told is found on a node that gives ten blocks of logs at a time', async () => {
  await using service = await world.start(1)
  await world.evm.mine(60)
  world.nodes[0].fail({ logRangeBlocks: 10 })
  world.failSettle({ kind: 'drop_reply' })
  const buyer = await signedBuyer(world, service)
  expect([await untilSold(buyer.buy), await buyer.paid()]).toEqual([200, 1_000n])
  world.failSettle(undefined)
  world.nodes[0].fail({})
})

type Service = Awaited<ReturnType<ChainWorld['start']>>

/** A purchase makes the service look at its node. */
async function untilKnown(service: Service): Promise<void> {
  while ((await checkOf(service, 'chain-base'))?.status !== 'down') {
    const { buy } = await signedBuyer(world, service)
    await (await buy()).body?.cancel()
  }
}

/** As a buyer does who is told to come again: on a busy machine a price may be old, or the node late, for a moment. */
async function untilSold(buy: () => Promise<Response> | undefined): Promise<number | undefined> {
  for (;;) {
    const reply = await buy()
    if (reply?.status !== 503) return reply?.status
    await reply.body?.cancel()
  }
}
