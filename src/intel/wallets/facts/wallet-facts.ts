import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type {
  Page,
  ScoutAddress,
  ScoutTransaction,
  ScoutTransfer,
} from '../../../upstreams/blockscout/wire.ts'
import { createKeyedSource, type KeyedSource } from '../../../upstreams/keyed-source.ts'
import { type Ages, type Part, readPart } from '../../part.ts'
import { type NodeAccount, readAccount } from './account.ts'
import { type HeldTokens, readHoldings } from './holdings.ts'
import { type OpenApprovals, readApprovals } from './open-approvals.ts'
import type { WalletPorts } from './wallet-ports.ts'

/** `undefined` inside a part: the source answered that it does not have it. */
export type WalletFacts = {
  account: Part<NodeAccount>
  /** Asked only where the node tells nothing: the explorer allows few requests. */
  explorer: Part<ScoutAddress | undefined> | undefined
  holdings: Part<HeldTokens>
  approvals: Part<OpenApprovals>
  transfers: Part<Page<ScoutTransfer> | undefined>
  transactions: Part<Page<ScoutTransaction> | undefined>
  firstTransaction: Part<number | undefined>
}
type FactName = keyof WalletFacts
type ValueOf<Name extends FactName> = Extract<WalletFacts[Name], { status: 'fresh' | 'aged' }>['value']

export type WalletFactsReader = {
  /** Never rejects, and waits no longer than `WALLET_FACTS_WAIT_MS`. */
  read(wallet: string): Promise<WalletFacts>
}

/**
 * The longest that a request waits for all of them together. Of the three requests a second that the explorer allows we
 * use two, so that the fifth leaves after two seconds: the rest is for its answer.
 */
export const WALLET_FACTS_WAIT_MS = 2_700
/** Of that, the longest that the explorer is not asked about the account because the node may tell. */
const NODE_WAIT_MS = 1_000
/** Wallets whose facts are kept, per source. */
const KEPT_WALLETS = 300

/** No analysis of holdings that are older is sold. */
const HOLDINGS_HARD_MS = 4 * MINUTE_MS

const FACTS: Readonly<Record<FactName, { source: string; ages: Ages }>> = {
  account: { source: 'base_node', ages: { freshMs: 15 * SECOND_MS, hardMs: MINUTE_MS } },
  explorer: { source: 'blockscout', ages: { freshMs: 2 * MINUTE_MS, hardMs: HOLDINGS_HARD_MS } },
  holdings: { source: 'blockscout', ages: { freshMs: MINUTE_MS, hardMs: HOLDINGS_HARD_MS } },
  approvals: { source: 'blockscout+base_node', ages: { freshMs: 2 * MINUTE_MS, hardMs: 15 * MINUTE_MS } },
  transfers: { source: 'blockscout', ages: { freshMs: MINUTE_MS, hardMs: 15 * MINUTE_MS } },
  transactions: { source: 'blockscout', ages: { freshMs: 2 * MINUTE_MS, hardMs: 15 * MINUTE_MS } },
  firstTransaction: { source: 'blockscout', ages: { freshMs: 10 * MINUTE_MS, hardMs: DAY_MS } },
}

type Ports = { ports: WalletPorts; clock: Clock; random: () => number }

export function createWalletFacts({ ports, clock, random }: Ports): WalletFactsReader {
  const { explorer, history } = ports
  const keyed = <T>(name: FactName, fetch: (wallet: string) => Promise<T>): KeyedSource<T> => {
    const { freshMs, hardMs } = FACTS[name].ages
    return createKeyedSource({ clock, random, softMs: freshMs, hardMs, capacity: KEPT_WALLETS, fetch })
  }
  const holdings = keyed('holdings', (wallet) => readHoldings({ history, nowMs: clock.now }, wallet))
  const readHeld = async (wallet: string) => (await holdings.read(wallet)).value
  const sources: { [Name in FactName]: KeyedSource<ValueOf<Name>> } = {
    account: keyed('account', (wallet) => readAccount(ports, wallet)),
    explorer: keyed('explorer', explorer.address),
    holdings,
    approvals: keyed('approvals', (wallet) => readApprovals(ports, wallet, () => readHeld(wallet))),
    transfers: keyed('transfers', explorer.tokenTransfers),
    transactions: keyed('transactions', explorer.transactions),
    firstTransaction: keyed('firstTransaction', history.firstTransactionMs),
  }
  const readOne = <Name extends FactName>(
    name: Name,
    wallet: string,
    limitMs = WALLET_FACTS_WAIT_MS,
  ): Promise<Part<ValueOf<Name>>> =>
    readPart({ ...FACTS[name], clock, limitMs, read: () => sources[name].read(wallet) })
  const readIdentity = async (wallet: string): Promise<Pick<WalletFacts, 'account' | 'explorer'>> => {
    const account = await readOne('account', wallet, NODE_WAIT_MS)
    if (account.status !== 'missing') return { account, explorer: undefined }
    return { account, explorer: await readOne('explorer', wallet, WALLET_FACTS_WAIT_MS - NODE_WAIT_MS) }
  }
  return {
    async read(wallet) {
      const [holdings, approvals, transfers, transactions, firstTransaction, identity] = await Promise.all([
        readOne('holdings', wallet),
        readOne('approvals', wallet),
        readOne('transfers', wallet),
        readOne('transactions', wallet),
        readOne('firstTransaction', wallet),
        readIdentity(wallet),
      ])
      return { ...identity, holdings, approvals, transfers, transactions, firstTransaction }
    },
  }
}
