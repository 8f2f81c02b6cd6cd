import type { Clock } from '../core/clock.ts'
import type { Market } from '../market/market.ts'
import type { SignalEngine } from '../signals/live/engine.ts'
import type { PaymentDesk } from './payment-desk.ts'
import type { RecordDesk } from './record-desk.ts'

/** What a handler may use. It has never heard of HTTP, MCP, headers or money. */
export type Services = {
  clock: Clock
  market: Market
  signals: Pick<SignalEngine, 'signal' | 'missing'>
  /** `sandbox` data says so in every reply. */
  sourceOf(source: string): string
  health(): Promise<HealthReport>
  payments: PaymentDesk
  /** Absent where no record is kept. */
  record?: RecordDesk | undefined
  /** Fresh throw-away wallets; undefined where money is real. */
  wallets: (() => Promise<SandboxWallets>) | undefined
  about: { mode: string; version: string; startedAtMs: number }
}

type SandboxWallet = { address: string; rpc_url: string; usdc: string }
export type SandboxWallets = {
  evm?: SandboxWallet & { private_key: string }
  solana?: SandboxWallet & { secret_key: string }
}

export type CheckState = 'ok' | 'degraded' | 'down'
export type HealthCheck = {
  name: string
  state: CheckState
  /** Without it the service cannot sell: then `/health` answers 503. */
  needed: boolean
  latencyMs: number | null
  ageMs: number | null
  detail: string
}
export type HealthReport = { state: CheckState; checks: readonly HealthCheck[] }
