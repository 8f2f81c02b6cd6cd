import { expect, it } from 'vitest'
import type { AnyProduct } from '../../src/catalog/catalog.ts'
import { createReplies } from '../../src/catalog/encoded-reply.ts'
import type { AnyParams } from '../../src/catalog/endpoints/endpoint.ts'
import { bindGroup } from '../../src/catalog/handlers.ts'
import { createPaidMint } from '../../src/catalog/paid.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/time/time.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { type IntelWorld, openIntelWorld } from './intel-world.ts'

const STEP_MS = 250
/** What is asked for the first time waits for its sources, and is not yet popular. */
const WARM_UP_MS = 8 * SECOND_MS
/** Of the node, which publishes none. */
const NODE_CALLS_PER_SECOND = 20

type Call = { product: AnyProduct; params: AnyParams }
type Counts = { sold: number; refused: Map<string, number> }

/** The products as the gate sells them, without the gate. */
function openCounter({ group, services, clock }: IntelWorld) {
  const { mint, redeem } = createPaidMint()
  const replies = createReplies(bindGroup(group, services).products, redeem)
  const startMs = clock.now()
  const counts: Counts = { sold: 0, refused: new Map() }
  const unpaid: Counts = { sold: 0, refused: new Map() }
  const note = (error: unknown, into: Counts, what: string) => {
    if (!(error instanceof ServiceError)) throw error
    if (clock.now() - startMs < WARM_UP_MS) return
    const key = `${what} ${error.code}`
    into.refused.set(key, (into.refused.get(key) ?? 0) + 1)
  }
  return {
    counts,
    unpaid,
    async buy({ product, params }: Call) {
      try {
        await replies.checkExists(product, params, () => {})
        await replies.sell(mint(product.id), product, params)
        counts.sold++
      } catch (error) {
        note(error, counts, product.id)
      }
    },
    async askPrice({ product, params }: Call) {
      try {
        await replies.checkExists(product, params, () => {})
        unpaid.sold++
      } catch (error) {
        note(error, unpaid, product.id)
      }
    },
  }
}

function callsOf({ group, tokens }: IntelWorld, popular: number): Call[] {
  const addresses = tokens.tokens.slice(0, popular).map(({ address }) => address)
  return group.endpoints.flatMap((endpoint): Call[] => {
    if (endpoint.kind !== 'product' || endpoint.access.kind !== 'paid') return []
    const product = endpoint as unknown as AnyProduct
    const read = (given: object) => ({ product, params: endpoint.params.parse(given) as AnyParams })
    // One needs an oracle; the other is written by a model, twenty a minute for each client.
    if (['market.btc_price', 'token.diagnose'].includes(endpoint.id)) return []
    const name = /\{(\w+)\}/.exec(endpoint.path)?.[1]
    return name === undefined ? [read({})] : addresses.map((address) => read({ [name]: address }))
  })
}

const overLimit = ({ internet }: IntelWorld) =>
  internet.usage().filter(({ largest, limit, refused }) => refused > 0 || largest > limit)

/** The risk sources check 24 tokens in a minute, and what neither has checked is not sold: that takes its time. */
async function getPopular(world: IntelWorld, calls: readonly Call[]): Promise<void> {
  const { buy, counts } = openCounter(world)
  for (let seconds = 0; seconds < 150; seconds += 5) {
    for (const call of calls) void buy(call)
    await world.pass(5 * SECOND_MS, SECOND_MS)
  }
  const refused = ['token.analysis', 'token.score'].map((id) => `${id} upstream_unavailable`)
  for (const what of counts.refused.keys()) expect(refused).toContain(what)
}

it('500 requests a second keep every provider below its limit, and all of them are served', async () => {
  await using world = await openIntelWorld({ seed: 'limits' })
  const random = createSeeded(3)
  const calls = callsOf(world, 25)
  await getPopular(world, calls)
  const { buy, counts } = openCounter(world)
  const seconds = searchSize('intel-load-seconds')
  for (let step = 0; step < (seconds * SECOND_MS) / STEP_MS; step++) {
    for (let i = 0; i < 125; i++) void buy(calls[Math.floor(random.fraction() * calls.length)] as Call)
    await world.pass(STEP_MS, STEP_MS)
  }
  expect(overLimit(world)).toEqual([])
  expect([...counts.refused]).toEqual([])
  expect(counts.sold).toBeGreaterThan(490 * seconds)
})

it('whoever tries random addresses without paying uses up no limit, and popular tokens are served', async () => {
  await using world = await openIntelWorld({ seed: 'attack' })
  const random = createSeeded(4)
  const { buy, askPrice, counts, unpaid } = openCounter(world)
  const calls = callsOf(world, 12)
  const ofTokens = calls.filter(({ product }) => product.path.includes('{'))
  const anyToken = () =>
    `0x${Array.from({ length: 40 }, () => Math.floor(random.fraction() * 16).toString(16)).join('')}`
  const seconds = searchSize('intel-load-seconds')
  const nodeCalls = world.node.calls()
  for (let step = 0; step < (seconds * SECOND_MS) / STEP_MS; step++) {
    for (let i = 0; i < 25; i++) void buy(calls[Math.floor(random.fraction() * calls.length)] as Call)
    const [target] = ofTokens
    if (target)
      for (let i = 0; i < 100; i++) {
        const address = anyToken()
        void askPrice({ ...target, params: { token: address, address, addr: address } })
      }
    await world.pass(STEP_MS, STEP_MS)
  }
  expect(overLimit(world)).toEqual([])
  expect((world.node.calls() - nodeCalls) / seconds).toBeLessThan(NODE_CALLS_PER_SECOND)
  expect([...counts.refused]).toEqual([])
  expect(unpaid.sold).toBe(0)
  // Lists, transfers and pools go on being read.
  const { whales, tokens } = world.intel
  for (const part of [whales.transfers('base'), tokens.trending.list()])
    expect(world.clock.now() - (part.asOfMs ?? 0)).toBeLessThan(2 * MINUTE_MS)
})
