import type { BaseChain } from '../../../upstreams/base-chain/base-chain.ts'
import type { Blockscout } from '../../../upstreams/blockscout/client.ts'
import type { ScoutHistory } from '../../../upstreams/blockscout/history.ts'

/** Where the facts of a wallet come from. Each rejects with an `UpstreamError` only. */
export type WalletPorts = {
  chain: Pick<
    BaseChain,
    'codeOf' | 'ether' | 'haveEtherOrCode' | 'nonce' | 'blockNumber' | 'approvalEvents' | 'allowances'
  >
  explorer: Pick<Blockscout, 'address' | 'tokenTransfers' | 'transactions'>
  history: ScoutHistory
}
