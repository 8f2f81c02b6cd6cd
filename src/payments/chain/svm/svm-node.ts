import { z } from 'zod'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { SVM_NETWORK } from '../../challenge/terms.ts'
import { callTogether } from '../json-rpc.ts'
import type { NodeKind } from '../nodes/node-kind.ts'

/** Solana has two or three slots a second. */
const STALE_AFTER_MS = MINUTE_MS

/** `isLocal`: a local chain has a genesis of its own, and what is signed for it is good there only. */
export const svmNode = ({ isLocal }: { isLocal: boolean }): NodeKind => ({
  staleAfterMs: isLocal ? undefined : STALE_AFTER_MS,
  async findStranger(rpc) {
    if (isLocal) return undefined
    const genesis = String(await rpc.call('getGenesisHash', []))
    return `solana:${genesis}`.startsWith(SVM_NETWORK) ? undefined : 'is not of the Solana main network'
  },
  async readHead(rpc) {
    // A node that is behind the others says so when it is asked for its health.
    const [, slot] = await callTogether(rpc, [
      ['getHealth', []],
      ['getSlot', [{ commitment: 'confirmed' }]],
    ])
    return { height: z.int().parse(slot), timeMs: undefined }
  },
})
