import { type Hex, isAddress, toHex } from 'viem'
import type { Clock } from '../../core/time/clock.ts'
import { depositWalletOf } from '../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { type Address, EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import type { Rpc } from '../chains/evm/rpc-client.ts'
import { createListeners } from '../market/listeners.ts'
import {
  type Custody,
  type CustodyEvent,
  CustodyRefused,
  type Settlement,
  type WalletBatch,
} from './custody.ts'
import { openVenueContracts, type VenueContracts } from './custody-contracts.ts'
import { toCustodyEvents } from './custody-events.ts'
import { readPast, traceOf } from './custody-past.ts'

export type ChainCustodyInput = {
  rpc: Rpc
  /** The market's: deadlines of batches and times of events are counted on it. */
  clock: Pick<Clock, 'now'>
}

/** One block holds more than ten times as many. */
const MAX_FILLS = 100
/** The nested signature of an order has 636. */
const MAX_SIGNATURE_CHARS = 2_048
const MAX_SIGNATURE_TYPE = 255
const EXCHANGES = [EVM_CONTRACTS.Exchange] as const

/** Custody by the venue's contracts on the local chain. What they hold stays there over a restart. */
export async function createChainCustody(input: ChainCustodyInput): Promise<Custody> {
  const contracts = await openVenueContracts(input.rpc)
  const past = readPast(contracts, input.rpc)
  const moves = moveMoney(contracts, input, past.settledBy)
  return { ...readHoldings(contracts), ...keepMarkets(contracts), ...moves, ...past }
}

function readHoldings({ read, codeAt }: VenueContracts) {
  const usd = (name: string, ...args: unknown[]) =>
    read({ contract: 'PolyUsd', name, args }) as Promise<bigint>
  return {
    collateralOf: (wallet: Address) => usd('balanceOf', wallet),
    async allowancesOf(wallet: Address) {
      const allowed = EXCHANGES.map(async (exchange) => [exchange, await usd('allowance', wallet, exchange)])
      return Object.fromEntries(await Promise.all(allowed)) as Readonly<Record<Address, bigint>>
    },
    async sharesOf(wallet: Address, tokenIds: readonly bigint[]) {
      const args = [tokenIds.map(() => wallet), tokenIds]
      return (await read({ contract: 'OutcomeTokens', name: 'balanceOfBatch', args })) as readonly bigint[]
    },
    async mayMoveShares(wallet: Address) {
      const args = [wallet, EVM_CONTRACTS.Exchange]
      return (await read({ contract: 'OutcomeTokens', name: 'isApprovedForAll', args })) as boolean
    },
    async isSigned({ hash, signer, signatureType, signature }: Parameters<Custody['isSigned']>[0]) {
      if (!isBytes(signature) || !isByte(signatureType) || !isAddress(signer)) return false
      const args = [hash, signer, signatureType, signature]
      return (await read({ contract: 'Exchange', name: 'isOrderSigned', args })) as boolean
    },
    walletOf: depositWalletOf,
    isDeployed: async (wallet: Address) => (await codeAt(wallet)) !== '0x',
    async nonceOf(wallet: Address) {
      if ((await codeAt(wallet)) === '0x') return 0n
      return (await read({ contract: 'DepositWallet', name: 'nonce', args: [], at: wallet })) as bigint
    },
  }
}

type Condition = {
  tokenIds: readonly [bigint, bigint]
  payouts: readonly [bigint, bigint]
  isPrepared: boolean
  isResolved: boolean
}

function keepMarkets({ read, send }: VenueContracts) {
  const conditionAt = async (conditionId: Hex) =>
    (await read({ contract: 'OutcomeTokens', name: 'conditionAt', args: [conditionId] })) as Condition
  return {
    async prepare(conditionId: Hex, tokenIds: readonly [bigint, bigint]) {
      const known = await conditionAt(conditionId)
      if (!known.isPrepared)
        await send({ contract: 'OutcomeTokens', name: 'prepareCondition', args: [conditionId, tokenIds] })
      else if (!isSame(known.tokenIds, tokenIds))
        throw new CustodyRefused(`${conditionId} has other outcome tokens`)
    },
    async resolve(conditionId: Hex, payouts: readonly [bigint, bigint]) {
      const known = await conditionAt(conditionId)
      if (!known.isResolved)
        await send({ contract: 'OutcomeTokens', name: 'reportPayouts', args: [conditionId, payouts] })
      else if (!isSame(known.payouts, payouts))
        throw new CustodyRefused(`${conditionId} was resolved another way`)
    },
    async payoutsOf(conditionId: Hex) {
      const { isResolved, payouts } = await conditionAt(conditionId)
      return isResolved ? payouts : undefined
    },
  }
}

function moveMoney({ send }: VenueContracts, { clock }: ChainCustodyInput, settledBy: Custody['settledBy']) {
  const events = createListeners<CustodyEvent>()
  return {
    async settle(id: Hex, fills: readonly Settlement[]) {
      if (fills.length === 0 || fills.length > MAX_FILLS)
        throw new RangeError(`${fills.length} fills; one settlement has 1 to ${MAX_FILLS}`)
      const args = [id, fills.map(({ side, ...fill }) => ({ ...fill, isBuy: side === 'BUY' }))]
      try {
        return (await send({ contract: 'Exchange', name: 'settle', args }, traceOf(id))).hash
      } catch (error) {
        // It is refused too where it was carried out before.
        const hash = error instanceof CustodyRefused ? await settledBy(id) : undefined
        if (hash === undefined) throw error
        return hash
      }
    },
    async deploy(owner: Address) {
      return (await send({ contract: 'DepositWalletFactory', name: 'deploy', args: [owner] })).hash
    },
    async execute({ signature, ...batch }: WalletBatch) {
      const args = [batch, signature, BigInt(Math.floor(clock.now() / 1000))]
      const topic = toHex(batch.nonce, { size: 32 })
      const trace = { address: batch.wallet, event: 'Executed(uint256)', topic }
      const sent = await send({ contract: 'DepositWalletFactory', name: 'execute', args }, trace)
      for (const event of toCustodyEvents(sent.logs, clock.now())) events.emit(event)
      return sent.hash
    },
    async mint(wallet: Address, amount: bigint) {
      await send({ contract: 'PolyUsd', name: 'mint', args: [wallet, amount] })
    },
    onEvent: events.listen,
    close() {},
  }
}

const isBytes = (text: Hex) => text.length <= MAX_SIGNATURE_CHARS && /^0x(?:[0-9a-f]{2})*$/i.test(text)
const isByte = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_SIGNATURE_TYPE
const isSame = (a: readonly bigint[], b: readonly bigint[]) => a.every((value, index) => value === b[index])
