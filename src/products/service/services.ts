import type { Mode } from '../../config/variables/variable.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Market } from '../../market/market.ts'

export type ServiceServices = {
  clock: Clock
  market: Market
  health(): Promise<HealthReport>
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
}
export type HealthReport = { state: CheckState; checks: readonly HealthCheck[] }
