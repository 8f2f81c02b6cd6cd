import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { EVM_USDC } from '../../../core/usdc.ts'
import { EVM_NETWORK } from '../../challenge/terms.ts'
import { callTogether } from '../json-rpc.ts'
import type { NodeKind } from '../nodes/node-kind.ts'
import { Block } from './block.ts'
import { toIsUsed, useCall } from './chain.ts'

/** Base has a block every two seconds. */
const STALE_AFTER_MS = MINUTE_MS
const NOTHING = `0x${'0'.repeat(64)}` as const
/** Of nobody: that the token answers is what counts. */
const AUTHORIZATION = { token: EVM_USDC, payerTopic: NOTHING, nonce: NOTHING } as const

/** `isLocal`: a local chain makes a block only when something happens. */
export const evmNode = ({ isLocal }: { isLocal: boolean }): NodeKind => ({
  staleAfterMs: isLocal ? undefined : STALE_AFTER_MS,
  async findStranger(rpc) {
    const chainId = Number(await rpc.call('eth_chainId', []))
    if (`eip155:${chainId}` === EVM_NETWORK) return undefined
    return `is of chain ${chainId}, not ${EVM_NETWORK.replace('eip155:', '')}`
  },
  async readHead(rpc) {
    // Some keys are good for some methods only.
    const [latest, , use] = await callTogether(rpc, [
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getTransactionReceipt', [NOTHING]],
      useCall(AUTHORIZATION, 'latest'),
    ])
    toIsUsed(use)
    const { number, timestamp } = Block.parse(latest)
    return { height: number, timeMs: timestamp * SECOND_MS }
  },
})
