import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FacilitatorClient } from '@x402/core/server'
import { silentLog } from '../../src/core/log.ts'
import { parseAtomic } from '../../src/core/money.ts'
import { startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { createSandboxFacilitator } from '../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { openFacilitatorKeys } from '../../src/sandbox/keys.ts'
import { createInstantFacilitator } from '../payments/servers/instant-facilitator.ts'
import { createInstantNode, type Moved } from '../payments/servers/instant-node.ts'

/** What wallets hold, by their address in small letters. */
export type Funds = Map<string, bigint>
/** Where money moves: somebody who settles, and what a node answers. */
export type Chain = {
  facilitator: Pick<FacilitatorClient, 'settle' | 'getSupported'>
  answer(body: Buffer): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

export const JSON_HEADERS = { 'content-type': 'application/json' }
/** As a preconfirmed block of Base. */
const SETTLE_MS = 200
const FEE_PAYER = '1'.repeat(32)

/** Play money on a real chain. */
export async function startAnvil(dir: string, funds: Funds): Promise<Chain> {
  const evm = await startEvmChain({ dataDir: join(dir, 'chain'), log: silentLog })
  for (const [address, amount] of funds)
    await evm.fundUsdc(address as `0x${string}`, parseAtomic(String(amount)))
  const keys = openFacilitatorKeys(join(dir, 'facilitator'))
  return {
    facilitator: await createSandboxFacilitator({ evm, svm: undefined, keys }),
    async answer(body) {
      const reply = await fetch(evm.rpcUrl, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: new Uint8Array(body),
      })
      return { status: reply.status, text: await reply.text() }
    },
    close: evm.close,
  }
}

type Call = { id: unknown; method: string; params: readonly unknown[] }

/** A node that keeps in memory what was settled, and takes no time of its own. */
export function startMemoryChain(funds: Funds): Chain {
  const { client } = createInstantFacilitator(FEE_PAYER)
  const node = createInstantNode(Date.now(), Date.now, (address) => funds.get(address) ?? 0n)
  const answerOne = ({ id, method, params }: Call) => ({
    jsonrpc: '2.0',
    id,
    result: node.answer(method, params),
  })
  return {
    facilitator: {
      getSupported: client.getSupported,
      async settle(payment, terms) {
        await pause(SETTLE_MS)
        const { authorization } = payment.payload as { authorization: Moved }
        if ((funds.get(authorization.from.toLowerCase()) ?? 0n) >= BigInt(terms.amount))
          node.include(authorization)
        else
          return {
            success: false,
            errorReason: 'insufficient_funds',
            transaction: '',
            network: terms.network,
          }
        return client.settle(payment, terms)
      },
    },
    async answer(body) {
      const asked = JSON.parse(body.toString()) as Call | readonly Call[]
      const reply = Array.isArray(asked) ? asked.map(answerOne) : answerOne(asked as Call)
      return { status: 200, text: JSON.stringify(reply) }
    },
    close: async () => {},
  }
}
