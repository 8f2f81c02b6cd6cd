import type { Address, Hex } from 'viem'
import { describeError } from '../../../../core/describe-error.ts'
import { SECOND_MS } from '../../../../core/time/time.ts'

export type NewTransaction = {
  type: 'WALLET-CREATE' | 'WALLET'
  owner: Address
  wallet: Address
  to: Address
  nonce: bigint | undefined
  signature: Hex | ''
}

type Transaction = NewTransaction & {
  id: string
  createdMs: number
  outcome: { hash: Hex } | { error: string } | undefined
}

export type RelayerTransactions = {
  /** Carries it out at once; how far it is told to be follows the venue's clock. */
  add(transaction: NewTransaction, work: () => Promise<Hex>): string
  /** The next nonces of the wallet that are taken, but not yet on the chain. */
  pendingNonces(wallet: Address): number
  /** As the relayer shows it. */
  find(id: string): object | undefined
  /** Newest first. */
  recent(): readonly object[]
}

const MAX_KEPT = 1_000
const MAX_LISTED = 100
/** About a block of Polygon, as the relayer shows it. */
const BLOCK_MS = 3 * SECOND_MS
const stagesOf = (blockMs: number) =>
  [
    { state: 'STATE_CONFIRMED', afterMs: 2 * blockMs },
    { state: 'STATE_MINED', afterMs: blockMs },
    { state: 'STATE_EXECUTED', afterMs: blockMs / 3 },
  ] as const

export type TransactionsInput = { nowMs: () => number; randomId: () => string; blockMs?: number | undefined }

export function createRelayerTransactions({
  nowMs,
  randomId,
  blockMs = BLOCK_MS,
}: TransactionsInput): RelayerTransactions {
  const kept = new Map<string, Transaction>()
  const carryOut = async (transaction: Transaction, work: () => Promise<Hex>) => {
    try {
      transaction.outcome = { hash: await work() }
    } catch (error) {
      transaction.outcome = { error: describeError(error) }
    }
  }
  return {
    add(fresh, work) {
      const transaction: Transaction = { ...fresh, id: randomId(), createdMs: nowMs(), outcome: undefined }
      kept.set(transaction.id, transaction)
      for (const [oldest] of kept) {
        if (kept.size <= MAX_KEPT) break
        kept.delete(oldest)
      }
      void carryOut(transaction, work)
      return transaction.id
    },
    pendingNonces: (wallet) =>
      [...kept.values()].filter(
        (each) => each.type === 'WALLET' && each.wallet === wallet && each.outcome === undefined,
      ).length,
    find(id) {
      const transaction = kept.get(id)
      return transaction && toWire(transaction, nowMs(), blockMs)
    },
    recent: () =>
      [...kept.values()]
        .slice(-MAX_LISTED)
        .reverse()
        .map((each) => toWire(each, nowMs(), blockMs)),
  }
}

function toWire(transaction: Transaction, nowMs: number, blockMs: number): object {
  const { id, owner, wallet, to, nonce, signature, type, createdMs, outcome } = transaction
  const { state, sinceMs } = stageOf({ outcome, createdMs }, nowMs, blockMs)
  return {
    transactionID: id,
    transactionHash: state !== 'STATE_NEW' && outcome && 'hash' in outcome ? outcome.hash : '',
    from: owner.toLowerCase(),
    to: to.toLowerCase(),
    proxyAddress: wallet.toLowerCase(),
    data: '',
    nonce: nonce === undefined ? '' : String(nonce),
    value: '',
    signature,
    state,
    type,
    owner: owner.toLowerCase(),
    metadata: '',
    ...(state === 'STATE_FAILED' && outcome && 'error' in outcome && { errorMsg: outcome.error }),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(sinceMs).toISOString(),
  }
}

function stageOf(
  { outcome, createdMs }: Pick<Transaction, 'outcome' | 'createdMs'>,
  nowMs: number,
  blockMs: number,
) {
  const isAfter = (ms: number) => nowMs - createdMs >= ms
  if (outcome && 'error' in outcome && isAfter(blockMs))
    return { state: 'STATE_FAILED', sinceMs: createdMs + blockMs }
  const stage = outcome && 'hash' in outcome && stagesOf(blockMs).find(({ afterMs }) => isAfter(afterMs))
  if (!stage) return { state: 'STATE_NEW', sinceMs: createdMs }
  return { state: stage.state, sinceMs: createdMs + stage.afterMs }
}
