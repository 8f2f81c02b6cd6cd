import type { Config } from '../config/config.ts'
import { isPlayMoney } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { findAuth, KEYED_HOST } from '../payments/facilitators/auth/find-auth.ts'
import { createHttpMember } from '../payments/facilitators/members/http-member.ts'
import type { FacilitatorMember } from '../payments/facilitators/members/member.ts'
import type { Rpc } from '../sandbox/chains/evm/rpc-client.ts'
import { openSandboxKeys } from '../sandbox/keys.ts'
import { openPlayMoney } from '../sandbox/play-money.ts'
import type { Wallets } from '../sandbox/wallets.ts'

/** How money reaches us: addresses that are paid, chain nodes, facilitators. A network without an address or a node is not offered. */
export type PaymentRails = {
  payTo: { evm: string | undefined; svm: string | undefined }
  /** Nodes of each chain, preferred first. */
  rpc: { evm: readonly string[]; svm: readonly string[] }
  /** Full control of a local EVM chain that we run; undefined where there is none. */
  chain: Rpc | undefined
  facilitators: readonly FacilitatorMember[]
  /** Hands out play money; undefined where money is real. */
  wallets: Wallets | undefined
  close(): Promise<void>
}

/** Real money in live mode; play money on local chains in sandbox and paper mode. */
export async function openPaymentRails(
  config: Config,
  clock: Clock,
  log: Log,
  openPlay: () => Promise<PaymentRails> = () => openPlayMoney(config.dataDir, clock, log),
): Promise<PaymentRails> {
  const { mode, chains, dataDir } = config
  const facilitators = openFacilitators(config, clock, log)
  const rpc = { evm: chains.evmRpcUrls, svm: chains.svmRpcUrls }
  const configured = { rpc, chain: undefined, facilitators, wallets: undefined, close: async () => {} }
  if (!isPlayMoney(mode)) return { ...configured, payTo: config.payTo }
  if (hasOwnChains(config)) return { ...configured, payTo: playPayTo(dataDir, rpc) }
  const playMoney = await openPlay()
  return facilitators.length > 0 ? { ...playMoney, facilitators } : playMoney
}

/** Chains that somebody else runs: with play money the configuration allows loopback addresses only. */
export const hasOwnChains = ({ chains }: Pick<Config, 'chains'>): boolean =>
  chains.evmRpcUrls.length + chains.svmRpcUrls.length > 0

function openFacilitators(
  { facilitators, facilitatorKey }: Pick<Config, 'facilitators' | 'facilitatorKey'>,
  clock: Clock,
  log: Log,
): FacilitatorMember[] {
  const members = facilitators.map((url) => ({ url, auth: findAuth(url, facilitatorKey, clock) }))
  if (facilitatorKey && members.every(({ auth }) => auth === undefined))
    log.warn(
      { notice: `TOLLBOOK_FACILITATOR_KEY: none of TOLLBOOK_FACILITATORS takes it; only ${KEYED_HOST} does` },
      'look at the configuration',
    )
  return members.map(createHttpMember)
}

function playPayTo(dataDir: string, rpc: PaymentRails['rpc']): PaymentRails['payTo'] {
  const { evm, svm } = openSandboxKeys(dataDir)
  return {
    evm: rpc.evm.length > 0 ? evm : undefined,
    svm: rpc.svm.length > 0 ? svm.address : undefined,
  }
}
