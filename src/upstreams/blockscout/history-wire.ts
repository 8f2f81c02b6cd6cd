import type { Address } from 'viem'
import { z } from 'zod'
import { WALLET } from '../rules/path-parts.ts'
import { readRows, type Skipped } from '../wire/list.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { wireTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'
import { HoldingsReply } from './wire.ts'

/** The explorer tells no more at once. */
export const MAX_LOGS = 1_000
const MAX_WORDS = 200
const MAX_NEXT_FIELDS = 12
const TOPIC = /^0x0{24}[0-9a-fA-F]{40}$/
const WORD = /^0x[0-9a-fA-F]{64}$/
const HEX_TIME = /^0x[0-9a-fA-F]{1,10}$/

const NextPage = z
  .record(
    wireText(MAX_WORDS, 1),
    z.union([wireText(MAX_WORDS), z.number().refine(Number.isFinite), z.boolean(), z.null()]),
  )
  .refine((fields) => Object.keys(fields).length <= MAX_NEXT_FIELDS)
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? undefined])),
  )

/** Holdings with what asks for those that follow; undefined behind the last page. */
export const HoldingsPage = z.intersection(
  HoldingsReply,
  z
    .object({ next_page_params: orUnknown(NextPage) })
    .transform(({ next_page_params }) => ({ next: next_page_params })),
)
export type HoldingsPage = z.output<typeof HoldingsPage>

/** "No logs found", "No transactions found". */
const NOTHING_FOUND = /^no [a-z ]{0,40}found/i

/** The older addresses of the explorer answer 200 whatever happens. Without rows the status is 0, as in a failure: the message tells them apart. */
const envelopeOf = <Row extends z.ZodType>(row: Row, max: number) =>
  z
    .object({ status: shownWords(1), message: shownWords(MAX_WORDS), result: wireArray(z.unknown(), max) })
    .transform(
      (
        { status, message: told, result },
        { issues },
      ): { rows: readonly z.output<Row>[]; skipped: Skipped; count: number } => {
        const { rows, skipped, isBroken } = readRows(result, row)
        if (status !== '1' && (status === '0' || result.length === 0) && !NOTHING_FOUND.test(told))
          issues.push({ code: 'custom', message: `a failure: ${told}`, input: undefined })
        if (isBroken) {
          const message = `${skipped.count} rows break the format: ${skipped.reasons[0]}`
          issues.push({ code: 'custom', message, input: undefined })
        }
        return { rows, skipped, count: result.length }
      },
    )

const topicAddress = () =>
  z
    .string()
    .regex(TOPIC, 'expected an address as a topic')
    .transform((topic) => `0x${topic.slice(-40).toLowerCase()}` as Address)
const logTime = () =>
  z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' && HEX_TIME.test(text) ? Number(text) : text))
    .pipe(orUnknown(wireTime()))

/** Of an ERC-20 token: an NFT names its id where the amount stands, among the topics. */
const Approval = z
  .object({
    address: z.string().regex(WALLET, 'expected an address'),
    topics: wireArray(z.unknown(), 4, 3),
    data: z.string(),
    timeStamp: logTime(),
    blockNumber: z.string().regex(/^0x[0-9a-fA-F]{1,13}$/, 'expected a block'),
  })
  .transform((log, { issues }) => {
    const [owner, spender] = [
      topicAddress().safeParse(log.topics[1]),
      topicAddress().safeParse(log.topics[2]),
    ]
    const isErc20 = WORD.test(log.data) && (log.topics[3] ?? null) === null
    if (!owner.success || !spender.success || !isErc20) {
      issues.push({ code: 'custom', message: 'expected an approval of a token', input: undefined })
      return z.NEVER
    }
    return {
      token: log.address.toLowerCase() as Address,
      owner: owner.data,
      spender: spender.data,
      amount: BigInt(log.data),
      atMs: log.timeStamp,
      block: Number(log.blockNumber),
    }
  })
export type ScoutApproval = z.output<typeof Approval>

/** Approvals of NFTs have the same name and name their id among the topics: they are left out, and are no fault. */
const OfNft = z.object({ topics: wireArray(z.string().regex(WORD), 4, 4) }).transform(() => undefined)
export const ApprovalsReply = envelopeOf(z.union([Approval, OfNft]), MAX_LOGS).transform(
  ({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter((row) => row !== undefined),
  }),
)

export const FirstTransactionReply = envelopeOf(
  z.object({ timeStamp: wireTime() }).transform(({ timeStamp }) => ({ atMs: timeStamp })),
  1,
)
