import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type ProviderRequest, type Reply } from '../reply.ts'

const PATH = '/openapi/v2/etf/historicalInflowChart'
const DAYS = 300
/** A day is told at two in the morning (UTC) of the next one. */
const TOLD_AFTER_MS = DAY_MS + 2 * HOUR_MS
const FIRST_DAY_MS = Date.UTC(2024, 0, 11)

const FUNDS: Readonly<Record<string, { flowUsd: number; assetsUsd: number; sinceMs: number }>> = {
  'us-btc-spot': { flowUsd: 240e6, assetsUsd: 98e9, sinceMs: FIRST_DAY_MS },
  'us-eth-spot': { flowUsd: 70e6, assetsUsd: 16e9, sinceMs: Date.UTC(2024, 6, 23) },
  'us-sol-spot': { flowUsd: 12e6, assetsUsd: 1.1e9, sinceMs: Date.UTC(2025, 9, 28) },
}

/** Flows of funds, by the day of the week that markets are open on; they drift with the days before them. */
export function createSosoValueServer(market: SimulatedMarket): ProviderServer {
  return {
    rest: (request) => (request.path === PATH ? answer(request, market.nowMs()) : undefined),
    socketAt: () => undefined,
    close() {},
  }
}

function answer({ method, body }: ProviderRequest, nowMs: number): Reply {
  if (method !== 'POST') return json(405, { code: 405, msg: 'Method Not Allowed', data: null })
  const type = typeOf(body)
  const funds = type !== undefined && Object.hasOwn(FUNDS, type) ? FUNDS[type] : undefined
  if (!funds || type === undefined) return ok({ code: 400001, msg: 'invalid type', data: null })
  const flows = createRandomStream('sosovalue', type)
  let cumNetInflow = 0
  const rows = weekdays(funds.sinceMs, nowMs - TOLD_AFTER_MS).map((dayMs) => {
    const day = Math.round(dayMs / DAY_MS)
    const drawn = 0.15 + flows.normal(day) + 0.5 * flows.normal(day - 1) + 0.3 * flows.normal(day - 2)
    const totalNetInflow = Math.round(drawn * funds.flowUsd * 100) / 100
    cumNetInflow += totalNetInflow
    return {
      date: new Date(dayMs).toISOString().slice(0, 10),
      totalNetInflow,
      totalValueTraded: Math.round(funds.assetsUsd * 0.03 * Math.exp(0.3 * flows.normal(1e7 + day))),
      totalNetAssets: Math.round(funds.assetsUsd + 0.3 * cumNetInflow),
      cumNetInflow: Math.round(cumNetInflow * 100) / 100,
    }
  })
  return ok({ code: 0, msg: null, data: rows.slice(-DAYS).reverse() })
}

function typeOf(body: Buffer): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const type = typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : undefined
    return typeof type === 'string' ? type : undefined
  } catch {
    return undefined
  }
}

function weekdays(fromMs: number, untilMs: number): number[] {
  const days: number[] = []
  for (let dayMs = fromMs; dayMs <= untilMs; dayMs += DAY_MS)
    if (![0, 6].includes(new Date(dayMs).getUTCDay())) days.push(dayMs)
  return days
}
