import type { TradingMode } from '../../../prediction/venue.ts'
import { json, type Reply } from '../../reply.ts'

const RESTART_S = 15
const RESTARTING: Reply = { ...json(425, {}), headers: { 'retry-after': String(RESTART_S) } }
const DISABLED = json(503, { error: 'trading is disabled' })

const ORDER_PATHS: readonly string[] = ['/order', '/orders', '/v1/heartbeats']
const CANCEL_PATHS: readonly string[] = ['/cancel-all', '/cancel-market-orders']

/** What requests that change orders get while the matching engine restarts or is switched off. */
export function refuseTrading(mode: TradingMode, method: string, path: string): Reply | undefined {
  if (method === 'GET' || mode === 'on') return undefined
  const isCancel = method === 'DELETE' && [...ORDER_PATHS, ...CANCEL_PATHS].includes(path)
  if (!isCancel && !ORDER_PATHS.includes(path)) return undefined
  if (mode === 'restart') return RESTARTING
  return mode === 'disabled' || !isCancel ? DISABLED : undefined
}
