import { address } from '@solana/kit'
import { z } from 'zod'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { SVM_USDC } from '../../../core/usdc.ts'
import { createJsonRpc, type JsonRpc } from '../../../payments/chain/json-rpc.ts'
import { svmNode } from '../../../payments/chain/svm/svm-node.ts'
import { createSvmToken } from '../../../payments/payable/svm-token.ts'
import { findUsdcAccount } from '../../../sandbox/chains/svm/usdc-account.ts'
import { type Check, failure, ok } from '../check.ts'
import { closedTo } from './closed-to.ts'
import { findStranger } from './find-stranger.ts'

const VARIABLE = 'TOLLBOOK_SVM_RPC_URL'
/** Solana has two or three slots a second. */
const BEHIND_AFTER_MS = 2 * MINUTE_MS
const Account = z.object({ value: z.looseObject({ owner: z.string() }).nullable() })

type Input = {
  name: string
  rpcUrl: string
  payTo: string | undefined
  /** A local chain has a genesis of its own, and no times of blocks. */
  isLocal: boolean
  clock: Clock
  timeoutMs: number
}

/** The node that decides what was paid on Solana: the right network, its newest block, and the account that is paid. */
export function svmNodeCheck({ name, rpcUrl, payTo, isLocal, clock, timeoutMs }: Input): Check {
  return {
    name,
    group: 'money',
    advice: `look whether this machine may connect to ${new URL(rpcUrl).host}, whether the key in the address is good, and at ${VARIABLE}`,
    async run() {
      const node = createJsonRpc({ rpcUrl, timeoutMs })
      const startedMs = performance.now()
      const kind = svmNode({ isLocal })
      const stranger = await findStranger('Solana', kind, node)
      if (stranger !== undefined)
        return failure(
          `${stranger}: it is never used`,
          `name a node of the Solana main network in ${VARIABLE}`,
        )
      // As it is asked before every sale.
      const { height: slot } = await kind.readHead(node)
      const tookMs = Math.round(performance.now() - startedMs)
      const ageMs = isLocal ? 0 : await readAgeMs(node, slot, clock)
      if (ageMs > BEHIND_AFTER_MS)
        return failure(
          `its newest slot, ${slot}, is ${Math.round(ageMs / SECOND_MS)} s old: payments would not be seen`,
          `wait until the node has caught up, or name another one in ${VARIABLE}`,
        )
      if (!(await isThere(node, SVM_USDC)))
        return failure(`has no USDC at ${SVM_USDC}`, `name a node of the Solana main network in ${VARIABLE}`)
      if (payTo !== undefined && !(await isThere(node, await findUsdcAccount(address(payTo)))))
        return failure(
          `${payTo} has no USDC account yet, and payments to it fail until it has one`,
          'send any amount of USDC to it once, which makes the account',
        )
      const closure = payTo && (await createSvmToken({ rpc: node, payTo }).findClosure())
      if (closure) return failure(...closedTo(closure, 'TOLLBOOK_PAY_TO_SVM'))
      const paid = payTo === undefined ? '' : `, ${payTo} can be paid`
      return ok(
        `slot ${slot}${isLocal ? '' : `, ${Math.round(ageMs / SECOND_MS)} s old`}, in ${tookMs} ms${paid}`,
      )
    },
  }
}

async function readAgeMs(node: JsonRpc, slot: number, clock: Clock): Promise<number> {
  const timeS = z.int().parse(await node.call('getBlockTime', [slot]))
  return clock.now() - timeS * SECOND_MS
}

const isThere = async (node: JsonRpc, account: string) =>
  Account.parse(await node.call('getAccountInfo', [account, { encoding: 'base64' }])).value !== null
