import { z } from 'zod'
import type { JsonRpc } from '../json-rpc.ts'
import type { Life } from './blockhash-life.ts'
import type { MessageHashes } from './message-hashes.ts'

/** What to look for: the transaction with this message, which dies with its blockhash. */
export type Sought = { payer: string; hash: string; blockhash: string }
/** The signature under which a message landed, or undefined when it did not. Throws when it cannot tell. */
export type FindLanded = (sought: Sought, life: Life) => Promise<string | undefined>

/** The most that nodes give at once. */
const PAGE_SIZE = 1_000
/** A payer with more transactions since than this cannot be searched through. */
const PAGE_LIMIT = 5
const CONCURRENT_READS = 8

const Page = z.array(z.object({ signature: z.string(), slot: z.int(), err: z.unknown() }))

/** Looks through what the payer signed, newest first: the fee payer's signature, which names it, is not known before. */
export function createFindLanded(rpc: JsonRpc, hashes: MessageHashes): FindLanded {
  return async ({ payer, hash }, { floorSlot, goneAtSlot }) => {
    let before: string | undefined
    for (let page = 0; page < PAGE_LIMIT; page++) {
      const options = {
        limit: PAGE_SIZE,
        commitment: 'confirmed',
        ...(before !== undefined && { before }),
        // Once it is over the answer is the last: no node may give it that has not come so far.
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
    // Listed as landed and not to be had: it might be the one.
    if (landed.includes(undefined)) throw new Error('the node lists a transaction that it does not give')
    const at = landed.indexOf(hash)
    if (at >= 0) return some[at]
  }
  return undefined
}
