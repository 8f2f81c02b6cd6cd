import type { Mode } from '../../config/variables/variable.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Incident, PartDay } from '../../ledger/ports/uptime-book.ts'
import type { Market } from '../../market/market.ts'

export type ServiceServices = {
  clock: Clock
  market: Market
  health(): Promise<HealthReport>
  /** What was measured once a minute, as of the newest measurement. */
  uptime(): UptimeReport
  about: { mode: Mode; version: string; startedAtMs: number }
  /** Fresh throw-away wallets; undefined where money is real. */
  wallets: (() => Promise<SandboxWallets>) | undefined
  /** The header `PAYMENT-REQUIRED` to `PAYMENT-SIGNATURE`, by a fresh throw-away wallet; undefined where money is real. */
  signPlayPayment: ((paymentRequired: string) => Promise<string>) | undefined
}

type SandboxWallet = { address: string; rpc_url: string; usdc: string }
export type SandboxWallets = {
  evm?: SandboxWallet & { private_key: string; project_token: string; project_tokens: number }
  solana?: SandboxWallet & { secret_key: string }
}

export type CheckState = 'ok' | 'degraded' | 'down'
export type HealthCheck = {
  name: string
  /** `idle`: not asked, so nobody knows. */
  state: CheckState | 'idle'
  /** Without it the service cannot sell: then `/health` answers 503. */
  needed: boolean
  latencyMs: number | null
  ageMs: number | null
  detail: string
  /** Why it is not well, where the detail says more than that. */
  cause?: string | undefined
}
export type HealthReport = { state: CheckState; checks: readonly HealthCheck[] }

/** Days that `/status` shows, today among them. */
export const UPTIME_DAYS = 90
export const INCIDENTS_SHOWN = 50
/** A stop is counted as downtime up to here: a longer time without a sign of life is more likely a clock that was wrong. */
export const STOP_DAYS_MAX = 30
/** So long after a start a part that has not been well yet is unknown: it may be warming up. */
export const STARTING_MAX_MS = 120_000
/** So many bad checks in a row begin an incident, and so many good ones end it: one alone may be an accident. */
export const IN_A_ROW = 2

export type UptimeReport = {
  /** The first UTC day that was measured, at most `UPTIME_DAYS` back. */
  fromDay: number
  /** Today. */
  toDay: number
  /** Undefined before the first measurement. */
  measuredMs: number | undefined
  /** The service itself first. One entry for each of the days; undefined where nothing was measured. */
  parts: readonly { name: string; days: readonly (PartDay | undefined)[] }[]
  /** What goes on first, then the newest. */
  incidents: readonly Incident[]
}
