import { z } from 'zod'
import {
  callTogether,
  type JsonRpc,
  JsonRpcRefusal,
  NoBatchError,
  NodeStatusError,
  type ReplyLimits,
  ReplyTooLargeError,
} from '../json-rpc.ts'
import { toQuantity } from './block.ts'
import type { OwnHeight } from './final-block.ts'
import {
  AUTHORIZATION_USED,
  type Expected,
  isAbout,
  Log,
  Quantity,
  type Receipt,
  TRANSFER,
  toReceipt,
} from './logs.ts'

/**
 * Who sends a transaction chooses how long its receipt is, and many can be long. Of a transaction whose receipt is longer
 * than this, only the logs of one payer are read.
 */
const ONE_RECEIPT: ReplyLimits = { replyBytes: 1024 * 1024 }
const MANY_RECEIPTS: ReplyLimits = { replyBytes: 2 * 1024 * 1024 }

export const receiptCall = (hash: string) => ['eth_getTransactionReceipt', [hash]] as const
export const HEAD: OwnHeight = { call: ['eth_blockNumber', []], numberOf: (reply) => Quantity.parse(reply) }

const NOBODYS = `0x${'0'.repeat(64)}`

/** A transaction whose receipt was shown last: a node that is well can show it again. */
export type ShownBefore = { hash?: string }

/** `upTo`: the head of that machine, or its own final block where that was asked for. */
type Seen = { upTo: number; receipt: Receipt }

/**
 * With the head of the same machine: behind one address may be several, and one of them on a fork that was left.
 * Undefined where it is too long.
 */
export async function readReceipt(
  rpc: JsonRpc,
  hash: string,
  token: Expected['token'],
  own: OwnHeight = HEAD,
): Promise<Seen | undefined> {
  // The height first, so that it is not newer than the receipt where a node takes no batches.
  const replies = await callTogether(rpc, [own.call, receiptCall(hash)], ONE_RECEIPT).catch(unlessTooLong)
  if (!replies) return undefined
  return { upTo: own.numberOf(replies[0]), receipt: toReceipt(replies[1], token) }
}

/** The receipt of the transaction in which an authorization was used. */
export async function readReceiptOfUse(
  rpc: JsonRpc,
  use: Log,
  expected: Expected,
  own: OwnHeight = HEAD,
): Promise<Seen> {
  return (
    (await readReceipt(rpc, use.transactionHash, expected.token, own)) ??
    (await readByLogs(rpc, use, expected, own))
  )
}

/** As much of a receipt as is needed for one authorization, from the logs of its block; null where it is not there. */
async function readByLogs(rpc: JsonRpc, use: Log, expected: Expected, own: OwnHeight): Promise<Seen> {
  const at = toQuantity(use.blockNumber)
  const topics = [[AUTHORIZATION_USED, TRANSFER], expected.payerTopic]
  const filter = { address: expected.token, topics, fromBlock: at, toBlock: at }
  const [height, reply] = await callTogether(rpc, [own.call, ['eth_getLogs', [filter]]], ONE_RECEIPT)
  const { blockNumber, transactionHash } = use
  const logs = z
    .array(Log)
    .parse(reply)
    .filter((log) => log.transactionHash === transactionHash && log.blockNumber === blockNumber)
  const used = logs.find((log) => log.topics[0] === AUTHORIZATION_USED && isAbout(log, expected))
  // The token logs a use and its transfer at once: between them is nothing that this filter could hide.
  const transfer = logs.find(({ logIndex }) => used && logIndex === used.logIndex + 1)
  // What failed has no logs.
  const receipt =
    used && transfer ? { status: 1, blockNumber, transactionHash, logs: [used, transfer] } : null
  return { upTo: own.numberOf(height), receipt }
}

/** What the node says for each, once where many are the same; nothing for what it refuses or is too long. */
export async function askForReceipts(
  rpc: JsonRpc,
  hashes: readonly string[],
  own: OwnHeight,
  before: ShownBefore = {},
): Promise<Map<string, { upTo: number; receipt: unknown }>> {
  const once = [...new Set(hashes)]
  if (once.length === 0) return new Map()
  const toEntries = (some: readonly string[], [said, ...receipts]: readonly unknown[]) => {
    const upTo = own.numberOf(said)
    for (const [at, hash] of some.entries()) if (receipts[at]) before.hash = hash
    return some.map((hash, at) => [hash, { upTo, receipt: receipts[at] }] as const)
  }
  const together = await rpc.batch([own.call, ...once.map(receiptCall)], MANY_RECEIPTS).catch(unlessTooMuch)
  if (together) return new Map(toEntries(once, together))
  const replies: ReturnType<typeof toEntries> = []
  let isKnownToBeWell = false
  let fault: NodeStatusError | undefined
  for (const hash of once) {
    // Two calls in one request are taken by nearly all nodes: what shows it and how far that goes are of one machine.
    const pair = await callTogether(rpc, [own.call, receiptCall(hash)], ONE_RECEIPT).catch(async (error) => {
      if (error instanceof NodeStatusError) fault = error
      if (fault && !isKnownToBeWell) {
        // A node that is ill is not asked for all the others.
        await callTogether(rpc, [own.call])
        isKnownToBeWell = true
      }
      return unlessTooMuch(error)
    })
    if (pair) replies.push(...toEntries([hash], pair))
  }
  // It knows its height and no receipt: ill, or all are too long. One that it has shown tells which, as well as can be
  // where there is none one that is nobody's, for which it need not read any.
  if (fault && replies.length === 0)
    await callTogether(rpc, [own.call, receiptCall(before.hash ?? NOBODYS)], ONE_RECEIPT).catch(
      unlessAnswered,
    )
  return new Map(replies)
}

/** Statuses that ask for fewer requests. */
const ASKED_TOO_OFTEN: readonly number[] = [429, 503]

/** A gateway answers what is too long for it, or takes its node too long, with a bare status. */
function unlessTooLong(error: unknown): undefined {
  const isStatus = error instanceof NodeStatusError && !ASKED_TOO_OFTEN.includes(error.status)
  if (!isStatus && !(error instanceof ReplyTooLargeError)) throw error
}

/** A refusal is an answer, and so is more than we read. */
function unlessAnswered(error: unknown): void {
  if (!(error instanceof JsonRpcRefusal || error instanceof ReplyTooLargeError)) throw error
}

/** Some nodes take fewer calls in one request than we have, and some refuse a single one of them. */
function unlessTooMuch(error: unknown): undefined {
  if (!(error instanceof JsonRpcRefusal || error instanceof NoBatchError)) unlessTooLong(error)
}
