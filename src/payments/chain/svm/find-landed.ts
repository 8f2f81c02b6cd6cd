import { z } from 'zod'
import type { JsonRpc } from '../json-rpc.ts'
import type { Life } from './blockhash-life.ts'
import type { MessageHashes } from './message-hashes.ts'

/** What to look for: a transaction with this message, which expires with its blockhash. */
export type Sought = { payer: string; hash: string; blockhash: string }
/** The signature of the transaction in which a message landed; undefined where it did not. Throws in doubt. */
export type FindLanded = (sought: Sought, life: Life) => Promise<string | undefined>

/** The most that nodes return at once. */
const PAGE_SIZE = 1_000
/** For a payer with more transactions than these pages the search gives up. */
const PAGE_LIMIT = 5
const CONCURRENT_READS = 8

const Page = z.array(z.object({ signature: z.string(), slot: z.int(), err: z.unknown() }))

/** Searches the payer's transactions, newest first. Their id is the fee payer's signature, which we cannot know before. */
export function createFindLanded(rpc: JsonRpc, hashes: MessageHashes): FindLanded {
  return async ({ payer, hash }, { floorSlot, goneAtSlot }) => {
    let before: string | undefined
    for (let page = 0; page < PAGE_LIMIT; page++) {
      const options = {
        limit: PAGE_SIZE,
        commitment: 'confirmed',
        ...(before !== undefined && { before }),
        // Once the blockhash has expired the answer is final, so a node that lags behind must not give it.
        ...(goneAtSlot !== undefined && { minContextSlot: goneAtSlot }),
      }
      const entries = Page.parse(await rpc.call('getSignaturesForAddress', [payer, options]))
      const recent = entries.filter(({ slot }) => slot >= floorSlot)
      const succeeded = recent.filter(({ err }) => err === null).map(({ signature }) => signature)
      const found = await findAmong(succeeded, hash, hashes)
      if (found || recent.length < PAGE_SIZE) return found
      before = entries.at(-1)?.signature
    }
    throw new Error('the payer has more transactions than can be searched')
  }
}

async function findAmong(
  signatures: readonly string[],
  hash: string,
  hashes: MessageHashes,
): Promise<string | undefined> {
  for (let from = 0; from < signatures.length; from += CONCURRENT_READS) {
    const some = signatures.slice(from, from + CONCURRENT_READS)
    const landed = await Promise.all(some.map((signature) => hashes.landed(signature)))
    // Listed as landed but not available: it might be the one.
    if (landed.includes(undefined)) throw new Error('the node lists a transaction that it does not return')
    const at = landed.indexOf(hash)
    if (at >= 0) return some[at]
  }
  return undefined
}
