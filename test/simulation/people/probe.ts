import { STRANGERS } from '../../../src/payments/gate/bounds/limits.ts'
import type { SimulatedFacilitator } from '../facilitators/facilitator.ts'
import { PRICES } from '../seller/products.ts'
import { type BuyerWorld, signFor } from './buyers.ts'
import { evmAddressOf } from './evm-signer.ts'
import { HOSTILE_CLIENT } from './hostile.ts'

/** After the minute in which failures count, and after nodes that came back last. */
const QUIET_MS = 90_000
/** All of them have come, and nobody has given up. */
const COME_WITHIN_MS = 1_000
const ASK_EVERY_MS = 1_000
/** From the least that strangers get after facilitators had too many calls, by doubling every two minutes. */
const FULL_PACE_WITHIN_MS = 15 * 60_000

/**
 * How many places were never given back. As many new wallets as may be checked at once come, the first of them from the
 * address of those who sent what led to nothing, and no facilitator answers: all of them must be under way then.
 */
export async function findLostPlaces(
  world: BuyerWorld,
  facilitators: readonly SimulatedFacilitator[],
): Promise<number> {
  const { timeline, chain, service } = world
  // Where one takes few calls at once, its own limit would be seen. Of several processes none gets all the probes.
  if (facilitators.some(({ member }) => member.limits) || service.seats > 1) return 0
  const waitUntil = (ms: number) => timeline.run(() => timeline.now() >= ms)
  await waitUntil(timeline.now() + QUIET_MS)
  await buyOnBase(world, timeline.now() + QUIET_MS)
  const paceBy = timeline.now() + FULL_PACE_WITHIN_MS
  await timeline.run(
    () => service.processes()[0]?.pool.strangersPace().share === 1 || timeline.now() >= paceBy,
  )
  for (const { setOutage } of facilitators) setOutage('silent')
  for (let index = 0; index < STRANGERS.places; index++) {
    const name = `probe${index}`
    chain.fund(evmAddressOf(name), PRICES.cheap)
    void service.get('cheap', 'q=0', signFor(world, name, PRICES.cheap), clientOf(index))
  }
  await waitUntil(timeline.now() + COME_WITHIN_MS)
  return STRANGERS.places - (service.processes()[0]?.load.strangers() ?? 0)
}

/** Facilitators and nodes that failed before are asked again by this one: of the chain that the others pay on. */
async function buyOnBase(world: BuyerWorld, untilMs: number): Promise<void> {
  const { timeline, chain, service } = world
  const name = 'prober'
  chain.fund(evmAddressOf(name), PRICES.cheap)
  const payment = signFor(world, name, PRICES.cheap, { lifeMs: 2 * QUIET_MS })
  let isServed = false
  const ask = async () => {
    while (!isServed && timeline.now() < untilMs) {
      isServed = (await service.get('cheap', 'q=0', payment, name)).status === 200
      await timeline.sleep(ASK_EVERY_MS)
    }
  }
  void ask()
  await timeline.run(() => isServed || timeline.now() >= untilMs)
}

function clientOf(index: number): string {
  const group = Math.floor(index / STRANGERS.placesPerKey)
  return group === 0 ? HOSTILE_CLIENT : `probers ${group}`
}
