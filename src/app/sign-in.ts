import { randomBytes } from 'node:crypto'
import { createCallCounts } from '../access/call-counts.ts'
import { customerOf } from '../access/client-key.ts'
import { createDemoBudget } from '../access/demo-budget.ts'
import { createRateCounters } from '../access/rate-counters.ts'
import { createChallengeNonces } from '../access/wallet/challenge-nonce.ts'
import { createHolderBalances } from '../access/wallet/holder-balances.ts'
import { createHolders } from '../access/wallet/holders.ts'
import { createProjectToken, type ProjectToken } from '../access/wallet/project-token.ts'
import { createSignIn } from '../access/wallet/sign-in.ts'
import { type CheckProof, createCheckProof } from '../access/wallet/siwx.ts'
import { openTokenKeys, type TokenKeys } from '../access/wallet/token-keys.ts'
import { createTokens, type Tokens } from '../access/wallet/tokens.ts'
import type { AccountServices, HolderServices } from '../account/services.ts'
import { HOLDERS_CALLS_PER_DAY } from '../account/tiers.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/time/clock.ts'
import type { DemoCounters } from '../ledger/ports/demo-counters.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { ChainNodes } from '../payments/chain/nodes/chain-nodes.ts'
import type { DemoBudget, Holders } from '../payments/gate/gate.ts'
import { createSmartWalletSignatures } from '../payments/read/evm/smart-wallet-signatures.ts'
import { projectTokenOf } from './project-token-of.ts'

const NONCE_BYTES = 16
const ONE_ROW = { limit: 1, offset: 0 }

type Ports = {
  config: Pick<Config, 'mode' | 'dataDir' | 'projectToken' | 'demo' | 'role'>
  clock: Clock
  store: Pick<Store, 'signIn' | 'payments'>
  /** Counts free calls, and those of holders. */
  calls: DemoCounters
  base: ChainNodes
  baseUrl: string
  facts: HolderServices['facts']
  sourceOf: AccountServices['sourceOf']
}
/** Whom the gate lets in without a payment, and how they are told apart. */
export type OpenAccess = {
  demo: DemoBudget
  /** Undefined where nobody can sign in. */
  holders: Holders | undefined
  tokens: Tokens
  /** Of wallets that paid, with or without the project token. */
  checkProof: CheckProof
  account: AccountServices
}

/** Free calls and wallet sign-in. Without a project token and a chain that has it there is no sign-in for holders. */
export async function openAccess(ports: Ports): Promise<OpenAccess> {
  const { config, clock, store, baseUrl, sourceOf } = ports
  const keys = openTokenKeys(config.dataDir, clock, { mayMake: config.role !== 'api' })
  const tokens = createTokens({ clock, keys, book: store.signIn, baseUrl })
  const counts = createCallCounts({ clock, counters: ports.calls })
  const holders = openHolders(ports, { keys, tokens })
  return {
    demo: createDemoBudget({ counts, ...config.demo }),
    holders:
      holders &&
      createHolders({
        ...{ clock, tokens, counts },
        balanceOf: createHolderBalances({ clock, random: Math.random, token: holders.token }),
        totalPerDay: HOLDERS_CALLS_PER_DAY,
      }),
    tokens,
    checkProof: createCheckProof({
      ...{ clock, baseUrl },
      book: store.signIn,
      signatures: openSignatures(ports),
      hasBought: async (wallet) => (await store.payments.purchasesOf(wallet, ONE_ROW)).rows.length > 0,
    }),
    account: {
      ...{ clock, holders, baseUrl, sourceOf },
      revoke: tokens.revoke,
      jwks: keys.published,
      purchases: store.payments,
      newNonce: () => randomBytes(NONCE_BYTES).toString('hex'),
    },
  }
}

function openHolders(
  ports: Ports,
  { keys, tokens }: { keys: TokenKeys; tokens: Tokens },
): (HolderServices & { token: ProjectToken }) | undefined {
  const { config, clock, store, base, baseUrl, facts } = ports
  const address = projectTokenOf(config)
  if (address === undefined || base.all.length === 0) return undefined
  const token = createProjectToken({ address, rpc: base.rpc, clock, random: Math.random })
  const signatures = openSignatures(ports)
  const nonces = createChallengeNonces({ keys, baseUrl })
  const signIn = createSignIn({ clock, baseUrl, nonces, book: store.signIn, signatures, token, tokens })
  return { signIn, token, facts }
}

/** Of its own: whoever floods sign-in must not keep others from paying. */
const openSignatures = ({ clock, base }: Ports) =>
  createSmartWalletSignatures({ rpc: base.rpc, clock, customerOf, counters: createRateCounters({ clock }) })
