import type { Address, Hex, PrivateKeyAccount } from 'viem'
import type { Clock } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Upstream, UpstreamError } from '../../upstream.ts'
import { createAuthorizedRequests, type RelayerKey } from './authorized-request.ts'
import { depositWalletOf, type WalletCall } from './deposit-wallet.ts'
import { createOutcomes, type Relayed } from './relayed.ts'
import { readDeployed, readNonce } from './relayer-reads.ts'
import { signBatch, toCreateSubmission, toWalletSubmission } from './wallet-batch.ts'
import { approvalCalls, approveRedeeming, redeemCall } from './wallet-calls.ts'
import { WireSubmitted } from './wire.ts'

/** Acts for one deposit wallet through the relayer, which pays the gas. Batches go one at a time. */
export type RelayerClient = {
  wallet: Address
  /** Rejects with an `UpstreamError`; the others never reject. */
  isDeployed(): Promise<boolean>
  /** Makes the wallet. */
  deploy(): Promise<Relayed>
  execute(calls: readonly WalletCall[]): Promise<Relayed>
  /** Lets the exchange and the adapter move what the wallet holds. */
  approveTrading(): Promise<Relayed>
  /** Turns all shares of a resolved market into pUSD. Without shares nothing is paid, so it may be asked for again. */
  redeem(conditionId: Hex): Promise<Relayed>
  close(): void
}

export type RelayerClientInput = {
  /** For what is safe to repeat. */
  upstream: Upstream
  baseUrl: string
  key: RelayerKey
  owner: Pick<PrivateKeyAccount, 'address' | 'signTypedData'>
  clock: Clock
}

/** Less than the 300 s that a wallet takes, so that a clock that is ahead does no harm. */
const VALID_FOR_S = 240

export function createRelayerClient(input: RelayerClientInput): RelayerClient {
  const { upstream, owner, clock } = input
  const authorized = createAuthorizedRequests(input)
  const wallet = depositWalletOf(owner.address)
  const closing = new AbortController()
  const outcomes = createOutcomes({ upstream, authorized, clock, closing: closing.signal })
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<Relayed>): Promise<Relayed> => {
    const result = last.then(work).catch(toRefused)
    last = result.catch(() => {})
    return result
  }
  const submit = async (body: object, ifUnknown: (reason: string) => Promise<Relayed>): Promise<Relayed> => {
    const sent = await authorized.send('POST', '/submit', WireSubmitted, body)
    if (sent.outcome === 'answered') return outcomes.follow(sent.value.transactionID)
    if (sent.outcome === 'unknown') return ifUnknown(sent.reason)
    return { outcome: 'refused', reason: sent.reason }
  }
  const isDeployed = () => readDeployed(upstream, wallet)
  const execute = (calls: readonly WalletCall[]) =>
    inTurn(async () => {
      const nonce = await readNonce(upstream, owner.address)
      const deadline = BigInt(Math.floor(clock.now() / SECOND_MS) + VALID_FOR_S)
      const batch = await signBatch(owner, { wallet, nonce, deadline, calls })
      return submit(toWalletSubmission(batch), (reason) => outcomes.search(batch, reason))
    })
  return {
    wallet,
    isDeployed,
    deploy: () =>
      inTurn(() => submit(toCreateSubmission(owner.address), (reason) => outcomes.appear(wallet, reason))),
    execute,
    approveTrading: () => execute(approvalCalls()),
    // The approval is repeated each time: it costs us nothing, and the relayer cannot be asked for it.
    redeem: (conditionId) => execute([approveRedeeming(), redeemCall(conditionId)]),
    close() {
      closing.abort()
      authorized.close()
    },
  }
}

/** The nonce is read before anything is sent. */
function toRefused(error: unknown): Relayed {
  if (error instanceof UpstreamError) return { outcome: 'refused', reason: error.message }
  throw error
}
