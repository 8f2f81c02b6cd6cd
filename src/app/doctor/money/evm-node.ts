import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { EVM_USDC } from '../../../core/usdc.ts'
import { evmNode } from '../../../payments/chain/evm/evm-node.ts'
import { createJsonRpc } from '../../../payments/chain/json-rpc.ts'
import { createEvmToken } from '../../../payments/payable/evm-token.ts'
import { type Check, failure, ok } from '../check.ts'
import { closedTo } from './closed-to.ts'
import { findStranger } from './find-stranger.ts'

const VARIABLE = 'TOLLBOOK_EVM_RPC_URL'
/** Base has a block every two seconds. */
const BEHIND_AFTER_MS = MINUTE_MS

type Input = {
  name: string
  rpcUrl: string
  payTo: string | undefined
  /** A local chain makes a block only when something happens. */
  isLocal: boolean
  clock: Clock
  timeoutMs: number
}

/** The node that decides what was paid on Base: the right chain, its newest block, and USDC on it. */
export function evmNodeCheck({ name, rpcUrl, payTo, isLocal, clock, timeoutMs }: Input): Check {
  return {
    name,
    group: 'money',
    advice: `look whether this machine may connect to ${new URL(rpcUrl).host}, whether the key in the address is good, and at ${VARIABLE}`,
    async run() {
      const node = createJsonRpc({ rpcUrl, timeoutMs })
      const startedMs = performance.now()
      const kind = evmNode({ isLocal })
      const stranger = await findStranger('Base', kind, node)
      if (stranger !== undefined)
        return failure(`${stranger}: it is never used`, `name a node of Base in ${VARIABLE}`)
      const tookMs = performance.now() - startedMs
      if ((await node.call('eth_getCode', [EVM_USDC, 'latest'])) === '0x')
        return failure(`has no USDC contract at ${EVM_USDC}`, `name a node of Base in ${VARIABLE}`)
      // As it is asked before every sale.
      const { height, timeMs = clock.now() } = await kind.readHead(node)
      const ageMs = clock.now() - timeMs
      if (!isLocal && ageMs > BEHIND_AFTER_MS)
        return failure(
          `its newest block, ${height}, is ${Math.round(ageMs / SECOND_MS)} s old: payments would not be seen`,
          `wait until the node has caught up, or name another one in ${VARIABLE}`,
        )
      if (payTo?.toLowerCase() === EVM_USDC.toLowerCase())
        return failure(
          'the address that is paid is the USDC contract',
          'set TOLLBOOK_PAY_TO_EVM to an address of your own',
        )
      const closure = payTo && (await createEvmToken({ rpc: node, payTo }).findClosure())
      if (closure) return failure(...closedTo(closure, 'TOLLBOOK_PAY_TO_EVM'))
      const paid = payTo === undefined ? '' : `, ${payTo} is paid`
      return ok(`block ${height}, ${Math.round(ageMs / SECOND_MS)} s old, in ${Math.round(tookMs)} ms${paid}`)
    },
  }
}
