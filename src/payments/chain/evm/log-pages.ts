import { z } from 'zod'
import { type JsonRpc, JsonRpcRefusal, ReplyTooLargeError } from '../json-rpc.ts'
import { toQuantity } from './block.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, type Expected, Log } from './logs.ts'

/** Logs of an authorization in as many blocks as the node allows at once, from one end of a range. */
export type LogPages = {
  up(expected: Expected, from: number, to: number): Promise<LogPage>
  down(expected: Expected, from: number, to: number): Promise<LogPage>
}
export type LogPage = { logs: readonly Log[]; from: number; to: number }

/** So many good pages later a larger one is tried: a refusal may have had another reason. */
const GROW_AFTER_PAGES = 100

/** A node that refuses a range is asked for half of it, down to one block. What it took is remembered. */
export function createLogPages({ rpc, largest }: { rpc: JsonRpc; largest: number }): LogPages {
  let blocks = largest
  let good = 0
  const read = async (expected: Expected, ends: (blocks: number) => Omit<LogPage, 'logs'>) => {
    const before = blocks
    for (;;) {
      const asked = ends(blocks)
      try {
        const logs = await readLogs(rpc, expected, asked)
        if (blocks < largest && ++good % GROW_AFTER_PAGES === 0) blocks = Math.min(largest, 2 * blocks)
        return { ...asked, logs }
      } catch (error) {
        const refused = asked.to - asked.from + 1
        if (!isTooMuch(error)) throw error
        // Not for their number, then.
        if (refused === 1) {
          blocks = before
          throw error
        }
        blocks = Math.max(1, Math.floor(Math.min(blocks, refused) / 2))
      }
    }
  }
  return {
    up: (expected, from, to) => read(expected, (most) => ({ from, to: Math.min(to, from + most - 1) })),
    down: (expected, from, to) => read(expected, (most) => ({ from: Math.max(from, to - most + 1), to })),
  }
}

const isTooMuch = (error: unknown) => error instanceof JsonRpcRefusal || error instanceof ReplyTooLargeError

async function readLogs(
  rpc: JsonRpc,
  { token, payerTopic, nonce }: Expected,
  { from, to }: { from: number; to: number },
): Promise<Log[]> {
  const filter = {
    address: token,
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], payerTopic, nonce],
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
  }
  return z.array(Log).parse(await rpc.call('eth_getLogs', [filter]))
}
