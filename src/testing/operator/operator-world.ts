import { createResults } from '../../bot/results/results.ts'
import type { Group } from '../../catalog/group.ts'
import { COINS } from '../../core/coin.ts'
import { silentLog } from '../../core/log.ts'
import type { ServiceError } from '../../core/service-error.ts'
import type { ManualClock } from '../../core/time/manual-clock.ts'
import { COMMANDS, type Commands } from '../../operator/admin/commands.ts'
import { adminGroup } from '../../operator/admin/group.ts'
import type { AdminServices } from '../../operator/admin/services.ts'
import { tradeGroup } from '../../operator/trade/group.ts'
import type { TradeServices } from '../../operator/trade/services.ts'
import type { HealthReport } from '../../products/service/services.ts'
import { createHandMadeBot } from '../bot/hand-made-bot.ts'
import { OPERATOR_KEY, serveGroup } from '../http/serve-groups.ts'
import { createDeskWorld } from '../payments/desk-world.ts'
import { windowMarketAt } from '../products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../products/hand-made-signals.ts'

type Services = TradeServices & AdminServices
export const operatorGroup: Group<Services> = {
  tag: 'operator',
  about: 'All that the operator may call.',
  endpoints: [...tradeGroup.endpoints, ...adminGroup.endpoints],
}

export type Sent = { body?: unknown; text?: string; headers?: Record<string, string> }

/** The operator's endpoints over HTTP, on a bot made by hand and a ledger in memory. */
export async function openOperator() {
  const { store, clock, payments, settle } = createDeskWorld()
  const bot = createHandMadeBot(clock)
  const results = createResults({ book: store.bot, clock, log: silentLog })
  await results.load()
  const { commands, ran } = createCommands(clock)
  const venue: { fault: ServiceError | undefined } = { fault: undefined }
  const services: Services = {
    clock,
    mode: 'sandbox',
    bot,
    book: store.bot,
    operatorBook: store.operator,
    fiveMinute: { open: (coin) => windowMarketAt(coin, clock.now()), missing: () => 'made up' },
    signals: signalsOf((coin) => signalAt(coin, clock.now())),
    payments,
    finality: store.finality,
    pageViews: store.pageViews,
    results,
    accounts: [
      { broker: 'paper', cashE6: async () => 994_825_000n },
      {
        broker: 'polymarket',
        async cashE6() {
          if (venue.fault) throw venue.fault
          return 12_340_001n
        },
      },
    ],
    commands,
    health: async () => HEALTH,
    sourceOf: (source) => `sandbox:${source}`,
  }
  const own = { ...services }
  const served = await serveGroup(operatorGroup, services, { clock, book: store.operator })
  const ask = async (method: string, target: string, sent: Sent = {}) => {
    const { body, text = body === undefined ? undefined : JSON.stringify(body), headers = {} } = sent
    const { status, body: replied } = await served.ask(
      method,
      target,
      {
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      text,
    )
    return { status, json: JSON.parse(Buffer.from(replied, 'latin1').toString('utf8')) }
  }
  const get = (target: string) => ask('GET', target)
  const post = (target: string, body?: unknown) => ask('POST', target, { body })
  const reset = () => {
    Object.assign(services, own)
    bot.made.fault = undefined
    bot.made.positions = []
    bot.made.isSim = true
    bot.acts.length = 0
    ran.length = 0
    venue.fault = undefined
  }
  return { clock, bot, store, services, ran, venue, results, ask, get, post, reset, served, settle }
}
export type OperatorWorld = Awaited<ReturnType<typeof openOperator>>

const HEALTH: HealthReport = {
  state: 'degraded',
  checks: COINS.map((name, at) => ({
    name,
    state: at === 0 ? 'down' : 'ok',
    needed: false,
    latencyMs: null,
    ageMs: null,
    detail: 'made up',
  })),
}

/** Each takes seven milliseconds. */
function createCommands(clock: ManualClock): { commands: Commands; ran: string[] } {
  const ran: string[] = []
  const run = (name: string) => async (by: string) => {
    ran.push(`${name} by ${by}`)
    clock.advance(7)
    return { did: `did ${name}`, facts: { entries: 3 } }
  }
  const commands = Object.fromEntries(COMMANDS.map((name) => [name, run(name)])) as unknown as Commands
  return { commands, ran }
}
