import { type Address, isAddressEqual, parseEventLogs, type RpcLog } from 'viem'
import { abiOf, EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import type { CustodyEvent } from './custody.ts'

/** Both emit the same events. The adapter acts for its caller, the exchange for the house. */
export const EMITTERS: readonly Address[] = [EVM_CONTRACTS.OutcomeTokens, EVM_CONTRACTS.CollateralAdapter]
const NO_HOLDERS: readonly Address[] = [EVM_CONTRACTS.CollateralAdapter, EVM_CONTRACTS.Exchange]

type Arguments = {
  holder: Address
  conditionId: CustodyEvent['conditionId']
  amount: bigint
  tokenId: bigint
  shares: bigint
  payout: bigint
}

/** What the logs of a transaction tell of wallets, in their order. */
export function toCustodyEvents(logs: readonly RpcLog[], atMs: number): CustodyEvent[] {
  const ours = logs.filter(({ address }) => EMITTERS.some((emitter) => isAddressEqual(emitter, address)))
  return parseEventLogs({ abi: abiOf('CollateralAdapter'), logs: ours as RpcLog[] }).flatMap(
    (log): CustodyEvent[] => {
      const { holder, conditionId, ...rest } = log.args as unknown as Arguments
      if (NO_HOLDERS.some((other) => isAddressEqual(other, holder))) return []
      const { transactionHash } = log
      const id = `${transactionHash}-${Number(log.logIndex)}`
      const shared = {
        id,
        block: Number(log.blockNumber),
        wallet: holder,
        conditionId,
        transactionHash,
        atMs,
      }
      if (log.eventName === 'Redeem') {
        const { tokenId, shares, payout } = rest
        return [{ ...shared, type: 'REDEEM', tokenId, shares, collateral: payout }]
      }
      const type = log.eventName === 'Split' ? 'SPLIT' : 'MERGE'
      return [{ ...shared, type, tokenId: undefined, shares: rest.amount, collateral: rest.amount }]
    },
  )
}
