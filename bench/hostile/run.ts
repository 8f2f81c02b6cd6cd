/** What 10,000 payments that lead to nothing do to one buyer, to the facilitator and to the node. */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { PUBLIC_LIMITS } from '../../src/payments/facilitators/load.ts'
import {
  CLIENT_PLACES,
  FAILED_BY_CLIENT,
  FAILED_BY_PAYER,
  OPEN_BY_PAYER,
} from '../../src/payments/gate/bounds/limits.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { aligned } from '../harness/table.ts'
import { type Bench, withFleet } from '../harness/with-fleet.ts'
import { createSignPayment } from '../payments/payers.ts'
import { type Answers, attack, makeHostile } from './attack.ts'
import { type Cores, watchCores } from './cores.ts'
import { type Bought, buyAnewWhile, buyOnce, buyWhile, glanceWhile } from './honest.ts'
import { makeWallets } from './wallets.ts'
import { type Calls, startWorld } from './world.ts'

const USAGE = `usage: npm run bench:hostile -- [options]

  --payments 10000   hostile payments in each attack
  --wallets 1000     wallets that they are signed for
  --seconds 60       time over which they are sent
  --quiet 30         seconds of the honest buyer alone
  --chain anvil      or memory: a node that takes no time, where anvil is emulated
  --json FILE        write all figures there
`
const GOAL = 3
const WARM_UP_MS = 5_000
/** Failures are counted per minute: one attack does not begin in the budget of another. */
const BETWEEN_MS = 60_000

type Phase = {
  name: string
  honest: Bought
  newcomers: Bought
  glances: Bought
  calls: Calls
  seconds: number
  cores: Cores
  answers?: Answers
}

const WHO = {
  honest: 'has bought lately',
  newcomers: 'buys for the first time',
  glances: 'asks for a free page',
} as const

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    ...{ payments: text, wallets: text, seconds: text, quiet: text, json: text },
    chain: { type: 'string', default: 'anvil' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) say(USAGE)
else await withFleet(run)

async function run({ fleet, dir, machine, pinning }: Bench): Promise<void> {
  const asked = parseNumbers(
    values,
    { payments: 10_000, wallets: 1_000, seconds: 60, quiet: 30 },
    { payments: [1, 1_000_000], wallets: [1, 100_000], seconds: [1, 3_600], quiet: [1, 3_600] },
  )
  say(
    `${machine}\n${pinning}; chain, facilitator, attackers and the honest buyer are not on the server's core\n`,
  )
  const kind = values.chain
  if (kind !== 'anvil' && kind !== 'memory') throw new Error('--chain is anvil or memory')
  const wallets = makeWallets(asked.wallets)
  const world = await startWorld(fleet, dir, wallets, kind)
  try {
    const { service, envelope } = world
    const sign = createSignPayment(envelope, [wallets.honest])
    const newBuyers = wallets.newcomers.map((wallet) => createSignPayment(envelope, [wallet])).values()
    const used = await buyOnce(service, sign)
    await buyWhile(service, sign, pause(WARM_UP_MS))
    const measure = async (name: string, work: Promise<Answers | undefined>): Promise<Phase> => {
      world.takeCalls()
      const startedMs = performance.now()
      const stopWatch = watchCores(service.pid)
      const [honest, newcomers, glances, answers] = await Promise.all([
        buyWhile(service, sign, work),
        buyAnewWhile(service, newBuyers, work),
        glanceWhile(service, work),
        work,
      ])
      const seconds = (performance.now() - startedMs) / 1000
      const [calls, cores] = [world.takeCalls(), stopWatch()]
      return { name, honest, newcomers, glances, calls, seconds, cores, ...(answers && { answers }) }
    }
    const attackFrom = (addresses: readonly string[]) =>
      attack(service, makeHostile(asked.payments, envelope, wallets, used), asked.seconds * 1000, addresses)
    const phases = [await measure('quiet', pause(asked.quiet * 1000, undefined))]
    phases.push(await measure('beside one client', attackFrom(['198.51.100.1'])))
    await pause(BETWEEN_MS)
    phases.push(await measure('beside 1,000 clients', attackFrom(manyAddresses(1_000))))
    tell(phases)
    writeFigures(values.json, { machine, asked, phases })
  } finally {
    await world.close()
  }
}

function manyAddresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `100.64.${n >> 8}.${n & 255}`)
}

function tell(phases: readonly Phase[]): void {
  const quiet = phases[0]
  const rows = (['honest', 'newcomers', 'glances'] as const).flatMap((who) =>
    phases.map((phase) => toRow(WHO[who], phase.name, phase[who], quiet?.[who].p99Ms ?? Number.NaN)),
  )
  say(`\n${aligned([['who', 'when', 'sold', 'p50 ms', 'p99 ms', 'p99 : quiet', 'not sold'], ...rows])}`)
  say(`goal: p99 of the honest buyer within ${GOAL}x of the quiet run.\n`)
  const calls = phases.map(({ name, calls, seconds }) => [
    name,
    ...[calls.verify, calls.settle, calls.node].map(
      (count) => `${count} (${(count / seconds).toFixed(1)}/s)`,
    ),
  ])
  say(`\n${aligned([['calls, for everybody', 'verify', 'settle', 'node'], ...calls])}`)
  const shares = phases.map(({ name, cores: { loopP99Ms, ...rest } }) => [
    name,
    ...Object.values(rest).map((share) => `${(100 * share).toFixed(0)} %`),
    loopP99Ms.toFixed(1),
  ])
  const coreHeadings = ['service', 'others there', 'this process', 'chain and others', 'loop p99 ms']
  say(`\n${aligned([['of a core', ...coreHeadings], ...shares])}`)
  for (const { name, answers } of phases) {
    if (!answers) continue
    const rows = Object.entries(answers).map(([kind, counts]) => [kind, counted(counts)])
    say(`\n${aligned([[`hostile, ${name}`, 'answers'], ...rows])}`)
  }
  const { verify, settle } = PUBLIC_LIMITS
  say(
    `\nlimits: ${FAILED_BY_CLIENT.calls} failed payments a minute for a client and ${FAILED_BY_PAYER.calls} for a wallet, ${CLIENT_PLACES.first} to ${CLIENT_PLACES.most} under way for a client, ${OPEN_BY_PAYER} left open for a wallet; a facilitator gets ${verify.perSecond} verify and ${settle.perSecond} settle a second, ${verify.burst} at once after a pause\n`,
  )
}

function toRow(who: string, when: string, { sold, p50Ms, p99Ms, others }: Bought, quietP99Ms: number) {
  const ratio = `${(p99Ms / quietP99Ms).toFixed(2)}x`
  return [who, when, String(sold), p50Ms.toFixed(1), p99Ms.toFixed(1), ratio, counted(others)]
}

function counted(counts: Readonly<Record<string, number>>): string {
  const each = Object.entries(counts).map(([what, count]) => `${count} x ${what}`)
  return each.join(', ') || 'none'
}
