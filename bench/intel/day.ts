import { parseArgs } from 'node:util'
import type { AnyProduct } from '../../src/catalog/catalog.ts'
import { createReplies } from '../../src/catalog/encoded-reply.ts'
import type { AnyParams } from '../../src/catalog/endpoints/endpoint.ts'
import { bindGroup } from '../../src/catalog/handlers.ts'
import { createPaidMint } from '../../src/catalog/paid.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/time/time.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { type IntelWorld, openIntelWorld } from '../../test/intel/intel-world.ts'
import { parseNumbers } from '../harness/options.ts'
import { say } from '../harness/say.ts'

const HELP = `Memory after a day of all sources of intelligence, with time compressed; providers are simulated in this process.
  --hours 24      simulated time
  --lookups 100   random addresses that somebody asks for without paying, every minute\n`
const MB = 1024 * 1024
const STEP_MS = 5_000
/** All tokens are bought so often; what needs no address is bought every minute. */
const TOKENS_EVERY_MINUTES = 20

const { values } = parseArgs({
  options: { hours: { type: 'string' }, lookups: { type: 'string' }, help: { type: 'boolean' } },
})
if (values.help) say(HELP)
else {
  await main()
  process.exit(0)
}

async function main(): Promise<void> {
  const limits = { hours: [0.1, 1_000], lookups: [0, 10_000] } as const
  const { hours, lookups } = parseNumbers(values, { hours: 24, lookups: 100 }, limits)
  await using world = await openIntelWorld({ seed: 'day' })
  const { buy, lookUp, counted } = openShop(world)
  const startedMs = world.clock.now()
  say('hour  RSS  heap used after collection  (MB)  sold  refused\n')
  for (let minute = 0; minute <= hours * 60; minute++) {
    if (minute % 60 === 0) report(minute / 60, counted)
    void buy(minute % TOKENS_EVERY_MINUTES === 0)
    for (let i = 0; i < lookups; i++) void lookUp()
    await world.pass(MINUTE_MS, STEP_MS)
  }
  say(`${((world.clock.now() - startedMs) / HOUR_MS).toFixed(1)} hours\n`)
}

type Sales = { sold: number; refused: number }

function report(hour: number, { sold, refused }: Sales): void {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  const cells = [hour, Math.round(rss / MB), Math.round(heapUsed / MB), sold, refused]
  say(`${cells.map((cell) => String(cell).padStart(6)).join(' ')}\n`)
}

function openShop({ group, services, tokens }: IntelWorld) {
  const { mint, redeem } = createPaidMint()
  const replies = createReplies(bindGroup(group, services).products, redeem)
  const random = createSeeded(9)
  const counted: Sales = { sold: 0, refused: 0 }
  const digit = () => Math.floor(random.fraction() * 16).toString(16)
  const products = group.endpoints.filter(
    (endpoint) => endpoint.kind === 'product' && endpoint.access.kind === 'paid',
  ) as unknown as AnyProduct[]
  const buyOne = async (product: AnyProduct, given: object) => {
    try {
      const params = product.params.parse(given) as AnyParams
      await replies.checkExists(product, params, () => {})
      await replies.sell(mint(product.id), product, params)
      counted.sold++
    } catch {
      counted.refused++
    }
  }
  return {
    counted,
    async buy(withTokens: boolean) {
      const calls = products.flatMap((product) => {
        const name = /\{(\w+)\}/.exec(product.path)?.[1]
        if (name === undefined) return [buyOne(product, {})]
        return withTokens ? tokens.tokens.map(({ address }) => buyOne(product, { [name]: address })) : []
      })
      await Promise.all(calls)
    },
    async lookUp() {
      const address = `0x${Array.from({ length: 40 }, digit).join('')}`
      const product = products.find(({ path }) => path === '/token/{address}')
      if (product) await Promise.resolve(replies.checkExists(product, { address }, () => {})).catch(() => {})
    },
  }
}
