import { AUTHORIZATION_USED, addressTopic, TRANSFER } from '../chain/evm/logs.ts'

/** A log of our token: the fields that are read here, in lower case. */
export type TransferLog = {
  /**
   * Index among all logs of its transaction. Not the node's log index, which counts through the block: after a
   * reorganisation the same transfer would have another index and could be used again.
   */
  position: number
  topics: readonly string[]
  data: string
}

export type Transfer = {
  position: number
  from: string
  value: bigint
  /** Made by a signed authorization, as x402 pays: it can be presented as an x402 payment. */
  byAuthorization: boolean
}

const WORD_CHARS = 2 + 64
const ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/

/** Every transfer to this address. */
export function transfersTo(logs: readonly TransferLog[], payTo: string): Transfer[] {
  return logs.flatMap(({ topics, data, position }, index) => {
    const [kind, from = '', to, ...more] = topics
    if (kind !== TRANSFER || more.length > 0 || to !== addressTopic(payTo)) return []
    if (!ADDRESS_TOPIC.test(from) || data.length !== WORD_CHARS) return []
    // The token logs the use of an authorization just before the transfer.
    const byAuthorization = logs[index - 1]?.topics[0] === AUTHORIZATION_USED
    return [{ position, from: `0x${from.slice(-40)}`, value: BigInt(data), byAuthorization }]
  })
}
